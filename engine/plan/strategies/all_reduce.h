// The all-reduce of one tensor over all replicas, as a plan lists it.
#pragma once

#include "engine/plan/strategy.h"

namespace dtbench {

/// The algorithm that `options` ask for; bad-input error when it cannot do their shape.
std::string all_reduce_algorithm(const StrategyOptions& options);

/// In place, over group 0.
PlanOp all_reduce_of(const RankClass& cls, TensorId tensor, std::string name, const StrategyOptions& options);

}  // namespace dtbench
