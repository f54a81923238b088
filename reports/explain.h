// `--explain`: where the time of a step goes, term by term, from the trace of one runner.
#pragma once

#include <string>

#include "engine/plan/step_plan.h"
#include "engine/plan/step_trace.h"
#include "reports/text_layout.h"

namespace dtbench {

/// Of the class that has the most to do. A table of computing by kind of operation and of communication by collective:
/// calls, seconds, share of the step; then what of the communication is exposed, and what is left over (waiting,
/// per-step overhead). Terms that overlap add up to more than the step, which the last lines settle.
std::string explain_text(const StepPlan& plan, const StepTrace& trace, const TextStyle& style);

}  // namespace dtbench
