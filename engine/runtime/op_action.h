// What a stream thread calls for one operation of the plan, bound to buffers once. Operations on multi-buffered tensors
// are bound once for each buffer and used in turn.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/runtime/arena.h"
#include "engine/runtime/communicator.h"
#include "engine/runtime/device.h"
#include "engine/runtime/engine_session.h"
#include "engine/runtime/input_source.h"

namespace dtbench {

class OpAction {
 public:
  virtual ~OpAction() = default;
  virtual void run(std::int64_t step) = 0;
};

std::unique_ptr<OpAction> kernel_action(Device& device, const Arena& arena, const PlanOp& op,
                                        const StepScalars& scalars, std::int64_t first_example);

/// One member's part in a collective; `variants[step % size]` are shared with the other members.
struct CollectiveSeat {
  std::vector<Collective*> variants;
  int member = 0;
  std::vector<int> ranks;                            ///< of the group instance, to name who is missing
  std::function<std::string(int rank)> whereabouts;  ///< what a missing rank is doing
};
std::unique_ptr<OpAction> collective_action(const PlanOp& op, CollectiveSeat seat);

/// `fill` is read at each step: it may change between runs.
std::unique_ptr<OpAction> input_action(const Arena& arena, const RankClass& rank_class, const PlanOp& op, int replica,
                                       const InputFill& fill);

/// Runs `inner` only in steps where the scalar (float32, float64 or int32) is not 0.
std::unique_ptr<OpAction> predicated_action(std::unique_ptr<OpAction> inner, const Arena& arena, TensorId predicate);

}  // namespace dtbench
