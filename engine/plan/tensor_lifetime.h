// When a tensor's memory is in use, over all streams and steps.
#pragma once

#include <array>
#include <vector>

#include "engine/plan/step_order.h"
#include "engine/plan/step_plan.h"
#include "engine/plan/tensor_access.h"

namespace dtbench {

/// From the first operation that touches a tensor to the last one on each stream; -1 = none.
struct TensorLifetime {
  OpId first = -1;
  std::array<OpId, kStreams> last{-1, -1, -1};
};

/// One entry a tensor; views count for the tensor that owns their memory.
std::vector<TensorLifetime> tensor_lifetimes(const RankClass& cls);

/// Whether all uses of `a` are over before `b` is first touched, and all uses of `b` before `a` is touched in the next
/// step.
bool is_over_before(const TensorLifetime& a, const TensorLifetime& b, const StepOrder& order);

/// Whether two tensors may lie in the same memory.
bool never_live_together(const TensorLifetime& a, const TensorLifetime& b, const StepOrder& order);

}  // namespace dtbench
