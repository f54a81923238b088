#include "bench/measure.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "reports/comparison.h"
#include "reports/statistics.h"
#include "topologies/base/error.h"

namespace dtbench {

namespace {

std::vector<double> values_of(const std::vector<Turn>& turns, double Turn::*quantity) {
  std::vector<double> values;
  for (const Turn& turn : turns) values.push_back(turn.*quantity);
  return values;
}

template <typename Quantity>
double median_over(const std::vector<StepTrace>& traces, Quantity quantity) {
  std::vector<double> values;
  for (const StepTrace& trace : traces) values.push_back(quantity(trace));
  return median(values);
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

/// Seconds of one step of each trial, 0 for those that were not loaded.
std::vector<double> load(const std::vector<Trial>& trials, const TimeBudget& budget, Progress& progress) {
  constexpr double kLoadingShare = 0.5, kWarmUpSteps = 8;
  const double keep_for_turns = (1 - kLoadingShare) * budget.remaining();
  std::vector<double> step_seconds(trials.size(), 0);
  for (std::size_t i = 0; i < trials.size(); ++i) {
    if (budget.remaining() <= keep_for_turns + kWarmUpSteps * trials[i].expected_step_seconds) continue;
    progress.detail("loading " + trials[i].name);
    step_seconds[i] = summarize(*trials[i].plan, trials[i].runner->run(*trials[i].plan, 1)).step_seconds;
  }
  return step_seconds;
}

}  // namespace

int steps_per_turn(double step_seconds) {
  constexpr int kMostSteps = 200;
  return static_cast<int>(std::clamp(kTurnSeconds / std::max(step_seconds, 1e-9), 1.0, double{kMostSteps}));
}

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
  const std::vector<double> first_steps = load(trials, budget, progress);
  std::vector<double> step_seconds = first_steps;
  for (bool more = true; more;) {
    more = false;
    for (std::size_t i = 0; i < trials.size(); ++i) {
      if (first_steps[i] == 0 || measured_enough(rule, results[i].step_seconds())) continue;
      const int steps = steps_per_turn(step_seconds[i]);
      if (budget.remaining() < steps * step_seconds[i]) continue;
      progress.detail(fmt::format("{}, repetition {}", trials[i].name, results[i].turns.size() + 1));
      results[i].turns.push_back(summarize(*trials[i].plan, trials[i].runner->run(*trials[i].plan, steps)));
      step_seconds[i] = results[i].turns.back().step_seconds;
      more = true;
    }
  }
  return results;
}

}  // namespace dtbench
