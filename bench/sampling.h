// Traces of measured steps -> samples for the fit of a calibration.
#pragma once

#include <vector>

#include "engine/plan/step_plan.h"
#include "engine/plan/step_trace.h"
#include "sim/model/calibration_fit.h"

namespace dtbench {

/// One OpSample per compute and input operation, the median over steps and ranks of those calls that no collective of
/// their rank ran beside (what overlap costs is told by the step sample); none when all calls were overlapped. One
/// StepSample. All traces are of `plan`.
void append_samples(CalibrationSamples& samples, const StepPlan& plan, const std::vector<StepTrace>& traces);

}  // namespace dtbench
