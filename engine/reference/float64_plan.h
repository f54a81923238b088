// A plan in double precision: what the oracle runs when rounding must not hide a fault.
#pragma once

#include "engine/plan/step_plan.h"
#include "engine/plan/strategy.h"

namespace dtbench {

/// Every float32 tensor becomes float64; bytes, costs, arithmetic and memory follow. Operations, streams and
/// dependencies stay. `traits` are those of the back end that will run it.
StepPlan to_float64(StepPlan plan, const BackendTraits& traits);

}  // namespace dtbench
