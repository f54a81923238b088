// Runs the plan of one rank in every order that its streams and dependencies allow (drawn at random) and compares what
// each operation reads with what it would read if operations ran one after the other.
#pragma once

#include <cstdint>
#include <string>

#include "engine/plan/step_plan.h"

namespace dtbench {

/// "" when all reads of `steps` steps are right, otherwise the first that is not. Memory is followed in cells of 64
/// bytes through the arena, so that tensors that share memory or buffers are seen as well.
std::string replay(const RankClass& cls, int steps, std::uint64_t seed);

}  // namespace dtbench
