// Synchronous data parallelism: every replica holds all parameters, gradients are added up by all-reduce, one bucket at
// a time, each as soon as the backward pass has filled it.
#pragma once

#include "engine/plan/strategy.h"

namespace dtbench {

int mirrored_max_replicas();
void apply_mirrored(StepPlan& plan, const StrategyOptions& options);

}  // namespace dtbench
