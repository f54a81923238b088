// What happened, or is predicted to happen, in one step: the only thing reports read.
#pragma once

#include <string>
#include <vector>

#include "engine/plan/step_plan.h"

namespace dtbench {

struct OpSpan {
  OpId op = 0;
  double start_seconds = 0, end_seconds = 0;  ///< since the start of the step
  bool operator==(const OpSpan&) const = default;
};

struct RankTrace {
  int rank = 0;
  int rank_class = 0;
  std::vector<OpSpan> spans;  ///< one per op of the class, in op order
  bool operator==(const RankTrace&) const = default;
};

/// The engine traces every rank it ran, a simulator one rank per class.
struct StepTrace {
  std::string runner;       ///< "cpu", "closed-form", "flow", "message"
  double step_seconds = 0;  ///< steady-state period
  std::vector<RankTrace> ranks;
  bool operator==(const StepTrace&) const = default;
};

/// Time of the step in which communication runs and no compute op of the same step does, the largest over ranks.
double exposed_communication_seconds(const StepPlan& plan, const StepTrace& trace);
/// Time covered by at least one op of the stream, the largest over ranks.
double busy_seconds(const StepPlan& plan, const StepTrace& trace, Stream stream);

}  // namespace dtbench
