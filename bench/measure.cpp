#include "bench/measure.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "bench/trace_median.h"
#include "reports/comparison.h"
#include "reports/statistics.h"
#include "topologies/base/error.h"

namespace dtbench {

int steps_per_turn(double step_seconds) {
  constexpr int kMostSteps = 200;
  return static_cast<int>(std::clamp(kTurnSeconds / std::max(step_seconds, 1e-9), 1.0, double{kMostSteps}));
}

namespace {

std::vector<double> values_of(const std::vector<Turn>& turns, double Turn::*quantity) {
  std::vector<double> values;
  for (const Turn& turn : turns) values.push_back(turn.*quantity);
  return values;
}

std::size_t nearest(const std::vector<double>& values, double wanted) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < values.size(); ++i)
    if (std::abs(values[i] - wanted) < std::abs(values[best] - wanted)) best = i;
  return best;
}

Turn summarize(const StepPlan& plan, const std::vector<StepTrace>& traces) {
  Turn turn;
  std::vector<double> steps;
  for (const StepTrace& trace : traces) steps.push_back(trace.step_seconds);
  turn.step_seconds = median(steps);
  turn.exposed_communication_seconds =
      median_over(traces, [&](const StepTrace& trace) { return exposed_communication_seconds(plan, trace); });
  turn.compute_seconds =
      median_over(traces, [&](const StepTrace& trace) { return busy_seconds(plan, trace, Stream::compute); });
  turn.input_seconds =
      median_over(traces, [&](const StepTrace& trace) { return busy_seconds(plan, trace, Stream::host); });
  turn.trace = traces[nearest(steps, turn.step_seconds)];
  return turn;
}

/// A trial on its way.
struct TrialLane {
  const Trial& trial;
  TrialResult& result;
  double step_seconds = 0;  ///< of the last turn; 0: not loaded yet
  bool enough(const StoppingRule& rule) const { return measured_enough(rule, result.step_seconds()); }
};

/// What the loaded trials still need for their fewest repetitions.
double reserved_seconds(const std::vector<TrialLane>& lanes, const StoppingRule& rule) {
  double seconds = 0;
  for (const TrialLane& lane : lanes) {
    const auto missing = rule.min_repetitions - static_cast<int>(lane.result.turns.size());
    if (lane.step_seconds > 0 && missing > 0)
      seconds += missing * (steps_per_turn(lane.step_seconds) + 1) * lane.step_seconds;
  }
  return seconds;
}

/// The runner warms up by itself; the step that it returns tells how many make a turn, and is one if it is long enough.
bool load(TrialLane& lane, double free_seconds, Progress& progress) {
  constexpr double kWarmUpSteps = 6;  // at least
  if (free_seconds <= kWarmUpSteps * lane.trial.expected_step_seconds) return false;
  progress.detail("loading " + lane.trial.name);
  const StepPlan& plan = *lane.trial.plan;
  Turn first = summarize(plan, lane.trial.runner->run(plan, 1));
  lane.step_seconds = first.step_seconds;
  if (steps_per_turn(lane.step_seconds) == 1) lane.result.turns.push_back(std::move(first));
  return true;
}

bool take_turn(TrialLane& lane, double free_seconds, Progress& progress) {
  const int steps = steps_per_turn(lane.step_seconds);
  if (free_seconds < steps * lane.step_seconds) return false;
  progress.detail(fmt::format("{}, repetition {}", lane.trial.name, lane.result.turns.size() + 1));
  const StepPlan& plan = *lane.trial.plan;
  lane.result.turns.push_back(summarize(plan, lane.trial.runner->run(plan, steps)));
  lane.step_seconds = lane.result.turns.back().step_seconds;
  return true;
}

}  // namespace

std::vector<double> TrialResult::step_seconds() const { return values_of(turns, &Turn::step_seconds); }

Measured TrialResult::measured(double Turn::*quantity) const {
  DTBENCH_CHECK(!turns.empty());
  return measured_from(values_of(turns, quantity));
}

const StepTrace& TrialResult::median_trace() const {
  DTBENCH_CHECK(!turns.empty());
  const auto steps = step_seconds();
  return turns[nearest(steps, median(steps))].trace;
}

std::vector<TrialResult> measure_interleaved(const std::vector<Trial>& trials, const StoppingRule& rule,
                                             const TimeBudget& budget, Progress& progress) {
  std::vector<TrialResult> results(trials.size());
  std::vector<TrialLane> lanes;
  for (std::size_t i = 0; i < trials.size(); ++i) lanes.push_back({trials[i], results[i]});
  for (bool more = true; more;) {
    more = false;
    for (TrialLane& lane : lanes) {
      if (lane.step_seconds == 0) {
        more |= load(lane, budget.remaining() - reserved_seconds(lanes, rule), progress);
      } else if (!lane.enough(rule)) {
        more |= take_turn(lane, budget.remaining(), progress);
      }
    }
  }
  return results;
}

}  // namespace dtbench
