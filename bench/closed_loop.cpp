#include "bench/closed_loop.h"

#include <fmt/core.h>

#include <algorithm>

#include "bench/cpu_measurement.h"
#include "bench/host.h"
#include "bench/host_calibration.h"
#include "bench/host_sizes.h"
#include "reports/comparison.h"
#include "reports/scaling.h"
#include "topologies/base/error.h"
#include "topologies/base/units.h"

namespace dtbench {

namespace {

/// Warm-up and a few repetitions of every point; each repetition of a long step takes one more to fill the pipeline.
double needed_seconds(const std::vector<Point>& points) {
  constexpr int kWarmUpSteps = 6, kRepetitions = 3, kStepsPerRepetition = 2;
  double seconds = 0;
  for (const Point& point : points)
    seconds += (kStepsPerRepetition * kRepetitions + kWarmUpSteps) * point.step_seconds.predicted->value;
  return seconds;
}

/// `size` with a batch that leaves time for its neighbours at `counts` replica counts, by a speed that any core
/// reaches.
WorkSize affordable(WorkSize size, double step_flops, int counts, double seconds) {
  constexpr double kFlopRate = 40e9, kSteps = 8, kNeighbours = 2;
  const double needed = kSteps * kNeighbours * counts * step_flops / kFlopRate;
  if (needed > seconds)
    size.batch = std::max<std::int64_t>(1, static_cast<std::int64_t>(double(size.batch) * seconds / needed));
  return size;
}

/// Sizes near the planned ones first, and never those; 1 replica and as many as are planned.
HostCalibrationRequest calibration_request(const HostWork& work, const HostProbe& probe, double seconds) {
  HostCalibrationRequest request = host_calibration_request(work.spec, probe);
  if (work.planned.empty()) return request;
  std::vector<int>& replicas = request.grid.scope.replicas;
  replicas = {1};
  if (work.planned.back().devices > 1) replicas.push_back(work.planned.back().devices);
  for (const PlannedPoint& point : work.planned) {
    request.grid.excluded.push_back(size_of(work.spec, point.plan.batch_per_replica, point.devices));
    request.grid.around.push_back(affordable(request.grid.excluded.back(), flops_of(point.plan.classes.front()),
                                             static_cast<int>(replicas.size()), seconds));
  }
  return request;
}

void fill_measured(Point& point, const TrialResult& result) {
  point.step_seconds.measured = result.measured(&Turn::step_seconds);
  point.exposed_communication_seconds.measured = result.measured(&Turn::exposed_communication_seconds);
  point.compute_seconds.measured = result.measured(&Turn::compute_seconds);
  point.input_seconds.measured = result.measured(&Turn::input_seconds);
}

void measure(HostLoop& loop, const HostWork& work, const TimeBudget& budget, Progress& progress) {
  EngineOptions options;
  options.threads_per_replica = work.threads_per_replica;
  options.seed = work.spec.seed;
  std::vector<CpuTrial> trials;
  for (std::size_t i = 0; i < work.planned.size(); ++i)
    trials.push_back({fmt::format("{} replica(s)", work.planned[i].devices), &work.planned[i].plan,
                      loop.report.points[i].step_seconds.predicted->value});
  const CpuMeasurement measurement = measure_on_cpu(trials, options, budget, progress);
  loop.disturbance = measurement.disturbance;
  const auto& results = measurement.results;
  loop.measured.resize(results.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i].turns.empty()) {
      loop.report.points[i].step_seconds.reason = "the time budget was used up";
      continue;
    }
    fill_measured(loop.report.points[i], results[i]);
    loop.measured[i] = results[i].median_trace();
  }
}

/// A loop that was not closed.
HostLoop open_loop(std::string reason) {
  HostLoop loop;
  loop.report.reason = std::move(reason);
  return loop;
}

}  // namespace

HostLoop close_loop(HostWork work, Machine host, const TimeBudget& budget, Progress& progress) {
  HostLoop loop;
  loop.machine = std::move(host);
  loop.report.topology = work.topology.spec;
  loop.report.calibration = calibration_report(*loop.machine);
  PredictedPoints predicted;
  shrink_until_possible(work, [&](const HostWork& now) {
    predicted = predict_points(now.planned, *loop.machine, now.spec);
    loop.report.points = predicted.points;
    const double needed = needed_seconds(loop.report.points);
    if (needed <= budget.remaining()) return std::string();
    return fmt::format("measuring takes about {}, {} is left of the time budget", format_seconds(needed),
                       format_seconds(budget.remaining()));
  });
  loop.reduced = work.reduced;
  loop.report.reason = work.reason;
  if (!work.planned.empty()) measure(loop, work, budget, progress);
  derive_scaling(loop.report.points, predicted.samples);
  summarise(loop.report);
  loop.planned = std::move(work.planned);
  loop.predicted = std::move(predicted.traces);
  return loop;
}

namespace {

/// Calibrates and measures. When the time was too short to calibrate what the step does, the loop stays open: the
/// prediction of another machine needs none of it.
HostLoop calibrate_and_close(const RunSpec& asked, const HostWork& work, const HostProbe& probe,
                             const TimeBudget& budget, const TimeBudget& calibrating, Progress& progress) {
  const HostCalibrationRequest request = calibration_request(work, probe, calibrating.remaining());
  try {
    return close_loop(work, calibrated_host(work.spec, request, calibrating, progress).machine, budget, progress);
  } catch (const Error& error) {
    if (asked.topology == kHost || error.code() != ExitCode::bad_input) throw;
    return open_loop(fmt::format("no time to calibrate this host for it: {}", error.what()));
  }
}

}  // namespace

HostLoop run_on_host(const RunSpec& asked, const HostProbe& probe, const TimeBudget& budget, Progress& progress) {
  constexpr double kCalibrationShare = 0.4;
  if (asked.measure == Measure::off) return open_loop("--measure off");
  if (find_host_sizes(asked.model) == nullptr && asked.topology != kHost)
    return open_loop(fmt::format("there are no sizes of model '{}' to calibrate this host with", asked.model));
  const HostWork work = plan_host_work(asked, probe, (1 - kCalibrationShare) * budget.remaining());
  HostLoop loop = open_loop(work.reason);
  if (!work.planned.empty() || asked.topology == kHost) {
    const TimeBudget calibrating = budget.part(kCalibrationShare);
    loop = calibrate_and_close(asked, work, probe, budget, calibrating, progress);
  }
  if (asked.measure == Measure::required && !loop.report.median_abs_error)
    throw Error(ExitCode::run_failed, {"--measure required", "nothing could be measured here: " + loop.report.reason,
                                       "", "raise --time-budget or lower the batch"});
  return loop;
}

std::optional<Machine> machine_before_measuring(const RunSpec& spec, const Topology& topology) {
  check_precision(spec, topology.device);
  const bool calibrates = spec.topology == kHost && !spec.calibration && spec.measure != Measure::off;
  if (!calibrates) return described_machine(spec, topology);
  check_anchor(spec, topology);
  return std::nullopt;
}

Machine machine_after_measuring(const RunSpec& spec, const std::optional<Machine>& before, const HostLoop& host) {
  return before ? *before : pinned_by_anchor(host.machine.value(), spec);
}

void adopt_measured(PredictedPoints& predicted, const RunSpec& spec, const HostLoop& host) {
  if (spec.topology != kHost) return;
  for (Point& point : predicted.points)
    for (const Point& measured : host.report.points)
      if (measured.devices == point.devices && measured.global_batch == point.global_batch) {
        point.step_seconds.measured = measured.step_seconds.measured;
        point.exposed_communication_seconds.measured = measured.exposed_communication_seconds.measured;
        point.compute_seconds.measured = measured.compute_seconds.measured;
        point.input_seconds.measured = measured.input_seconds.measured;
      }
  derive_scaling(predicted.points, predicted.samples);
}

}  // namespace dtbench
