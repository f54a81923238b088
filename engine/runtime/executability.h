// Whether this engine can run a plan on this back end; asked before any memory is taken.
#pragma once

#include "engine/plan/step_plan.h"
#include "engine/runtime/backend.h"

namespace dtbench {

/// Bad-input error naming the first thing that stands against it: a fault of the plan, more ranks than devices, an op
/// that no back end here executes, a feature of plans that this engine does not execute yet (send and receive, repeat
/// regions, micro-batches, collectives of a library).
void require_executable(const StepPlan& plan, const Backend& backend, int threads_per_device);

}  // namespace dtbench
