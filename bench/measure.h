// Measuring several plans side by side: A B A B ..., so that a machine that slows down slows all of them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/progress.h"
#include "bench/stopping_rules.h"
#include "bench/time_budget.h"
#include "engine/plan/step_runner.h"
#include "reports/run_result.h"

namespace dtbench {

/// One plan and who runs it. Both outlive the measurement.
struct Trial {
  std::string name;  ///< for the progress line
  const StepPlan* plan = nullptr;
  StepRunner* runner = nullptr;
  double expected_step_seconds = 0;  ///< predicted; 0 = unknown
};

/// What one turn (some steps on end) of a trial gave: medians over its steps, and the step nearest the median.
struct Turn {
  double step_seconds = 0, exposed_communication_seconds = 0, compute_seconds = 0, input_seconds = 0;
  StepTrace trace;
};

struct TrialResult {
  std::vector<Turn> turns;  ///< may be empty when time ran out before the first
  std::vector<double> step_seconds() const;
  /// Median over the turns, with the turns as repetitions. At least one turn.
  Measured measured(double Turn::*quantity) const;
  /// The trace of the turn with the median step time.
  const StepTrace& median_trace() const;
};

/// Runs turns of about `kTurnSeconds`, one trial after the other, until every trial has been measured enough or the
/// budget is used up. A trial is first loaded (the runner warms up, one step tells how many make a turn), as soon as
/// the budget has time for it beside the fewest repetitions of those already loaded; perhaps never.
inline constexpr double kTurnSeconds = 0.1;
int steps_per_turn(double step_seconds);
std::vector<TrialResult> measure_interleaved(const std::vector<Trial>& trials, const StoppingRule& rule,
                                             const TimeBudget& budget, Progress& progress);

}  // namespace dtbench
