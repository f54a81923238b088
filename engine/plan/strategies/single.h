// One device does the whole step.
#pragma once

#include "engine/plan/strategy.h"

namespace dtbench {

int single_max_replicas();
void apply_single(StepPlan& plan, const StrategyOptions& options);

}  // namespace dtbench
