// Step traces as a Chrome trace (JSON object format), which Perfetto (ui.perfetto.dev) and chrome://tracing show.
//
// One process per runner and rank, one thread per stream; times in microseconds. Predicted and measured steps of the
// same plan stand below each other.
#pragma once

#include <string>
#include <vector>

#include "engine/plan/step_plan.h"
#include "engine/plan/step_trace.h"

namespace dtbench {

struct LabelledTrace {
  const StepPlan* plan = nullptr;
  StepTrace trace;
  std::string label;  ///< "predicted, 8 devices"; the runner's name is added
};

/// Format: https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
std::string chrome_trace_json_text(const std::vector<LabelledTrace>& traces);

}  // namespace dtbench
