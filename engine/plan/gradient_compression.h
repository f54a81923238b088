// Gradients summed in 16 bits on the wire: a pass over the plan behind the strategy, in the manner of the compression hooks
// of Horovod and PyTorch's DistributedDataParallel. It has nothing to do with the type that the step computes in.
#pragma once

#include <optional>
#include <string_view>

#include "engine/plan/step_plan.h"

namespace dtbench {

/// "none", "bfloat16" or "float16"; anything else is a bad-input error.
std::optional<DType> compressed_type(std::string_view name);

/// Before each all-reduce of a float32 gradient bucket a cast into a bucket of `type`, which is reduced instead; after the
/// last one, before the updates, casts back. Members add in float32 and round at each hop.
void compress_gradients(RankClass& cls, DType type);

}  // namespace dtbench
