// The dynamic loss scale of mixed_float16, as part of the plan: gradients of the loss are multiplied by it, so that small
// ones do not vanish in 16 bits; updates divide by it. A step whose gradients are not all finite changes nothing but
// halves the scale; after 2,000 steps that were, it is doubled (defaults of Keras' LossScaleOptimizer; Micikevicius et
// al., "Mixed Precision Training", ICLR 2018). All replicas look at the same summed gradients and so decide alike.
#pragma once

#include "engine/plan/buckets.h"
#include "engine/plan/graph.h"
#include "engine/plan/step_plan.h"

namespace dtbench {

inline constexpr double kInitialLossScale = 32768;
inline constexpr int kLossScaleGrowthSteps = 2000;

struct LossScale {
  TensorId scale = kNoTensor;     ///< [1]
  TensorId counters = kNoTensor;  ///< int32 [3]: good steps in a row, skipped steps, culprit of the last skipped one
  TensorId finite = kNoTensor;    ///< int32 [1], of this step: what the updates' predicates read
  TensorId culprit = kNoTensor;   ///< int32 [1]: number of the first input of the check that is not finite, or -1
};

/// After add_backward: adds the state, and multiplies what the losses begin the backward pass with.
LossScale add_loss_scale(Graph& graph);

/// The check over the gradients of the parameters, in the order of their buckets; adds its outputs to `cls`.
PlanOp finite_check(RankClass& cls, LossScale& loss_scale, const std::vector<Bucket>& buckets);

/// To be appended behind the updates.
PlanOp loss_scale_update(const LossScale& loss_scale);

/// The loss scale of a plan as its update lists it; all kNoTensor when it has none.
LossScale loss_scale_of(const RankClass& cls);

/// Name of the gradient that the check calls `culprit`.
std::string culprit_name(const RankClass& cls, int culprit);

}  // namespace dtbench
