// The step predicted by arithmetic alone: the StepWalk with an instant clock. A collective takes its time alone on the
// machine; collectives that run at once on shared links do not slow each other (the flow model's business).
#pragma once

#include <string>

#include "engine/plan/step_plan.h"
#include "engine/plan/step_trace.h"
#include "sim/model/step_walk.h"

namespace dtbench {

/// Steady-state period in seconds. `times.op_seconds` holds collectives too (walk_times() fills them).
double closed_form_step_seconds(const WalkProgram& program, const WalkTimes& times);
/// The same with the trace of one rank per class; runner "closed-form".
StepTrace closed_form_trace(const WalkProgram& program, const WalkTimes& times);

}  // namespace dtbench
