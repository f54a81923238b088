// A step of known times: dense 4 ms, dense 3 ms, relu 1 ms; an all-reduce from 6 to 9 ms, of which 1 ms is exposed;
// then 1 ms of nothing.
#pragma once

#include "engine/plan/step_plan.h"
#include "engine/plan/step_trace.h"

namespace dtbench {

StepPlan example_plan();
StepTrace example_trace();

}  // namespace dtbench
