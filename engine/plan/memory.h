// Liveness and arena layout: what each tensor needs and where it lies. The engine allocates exactly this.
#pragma once

#include "engine/plan/step_plan.h"
#include "engine/plan/strategy.h"

namespace dtbench {

/// Fills `cls.memory`: parameters, gradients and optimizer state live for ever; an activation from its first writer to
/// its last reader over all streams (an op on another stream keeps its tensors alive until something ordered after it
/// runs).
void plan_memory(RankClass& cls, const BackendTraits& traits);

}  // namespace dtbench
