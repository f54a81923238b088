// How much of a prediction rests on sizes that the calibration has seen.
#pragma once

#include "engine/plan/step_plan.h"
#include "engine/plan/step_trace.h"
#include "topologies/calibration.h"

namespace dtbench {

/// Share of the compute time of `trace` (a predicted one) in calls smaller or larger than what the calibration's
/// curves cover; 0 for a step that computes nothing.
double extrapolated_share(const StepPlan& plan, const StepTrace& trace, const Calibration& calibration);

}  // namespace dtbench
