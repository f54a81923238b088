#include "bench/closed_loop.h"

#include <fmt/core.h>

#include <algorithm>

#include "bench/cpu_measurement.h"
#include "bench/host.h"
#include "bench/host_calibration.h"
#include "bench/options.h"
#include "engine/plan/models/model.h"
#include "reports/comparison.h"
#include "reports/scaling.h"
#include "topologies/base/error.h"
#include "topologies/base/units.h"

namespace dtbench {

namespace {

constexpr double kUsableMemory = 0.8;  ///< of what is free now

/// Half the batch, or nothing when it cannot be halved.
std::optional<RunSpec> with_half_batch(RunSpec spec, const std::vector<int>& counts) {
  std::int64_t& batch = spec.global_batch ? *spec.global_batch
                                          : spec.batch_per_replica.emplace(spec.batch_per_replica.value_or(
                                                model_family(spec.model).default_batch_per_replica));
  if (batch % 2 != 0) return std::nullopt;
  batch /= 2;
  const auto divides = [&](int count) { return !spec.global_batch || batch % count == 0; };
  if (!std::all_of(counts.begin(), counts.end(), divides)) return std::nullopt;
  return spec;
}

std::vector<int> host_counts(const RunSpec& asked, const RunSpec& spec, int available) {
  if (asked.topology == kHost) return device_counts(asked, available);
  std::vector<int> counts = device_counts(spec, available);
  if (spec.global_batch) std::erase_if(counts, [&](int count) { return *spec.global_batch % count != 0; });
  return counts;
}

/// All points stay loaded while they are measured in turn.
double memory_of(const std::vector<PlannedPoint>& planned) {
  double bytes = 0;
  for (const PlannedPoint& point : planned)
    bytes += static_cast<double>(largest_memory(point.plan).total) * point.plan.ranks;
  return bytes;
}

/// No step can be shorter.
double least_seconds(const std::vector<PlannedPoint>& planned, int threads) {
  double seconds = 0;
  for (const PlannedPoint& point : planned)
    for (const RankClass& cls : point.plan.classes) seconds += flops_of(cls) / (threads * kCoreFlopsLimit);
  return seconds;
}

/// Why the points cannot run here, or "".
std::string too_large(const HostWork& work, double seconds) {
  const double needed = memory_of(work.planned), free = available_memory_bytes();
  if (needed > kUsableMemory * free)
    return fmt::format("needs {} of memory, {} is free here", format_bytes(needed), format_bytes(free));
  const double least = least_seconds(work.planned, work.threads_per_replica);
  if (least > seconds)
    return fmt::format("one step takes at least {}, {} is left of the time budget", format_seconds(least),
                       format_seconds(seconds));
  return "";
}

std::string batch_words(const HostWork& work) {
  const StepPlan& plan = work.planned.front().plan;
  return work.spec.global_batch ? fmt::format("global batch {}", plan.global_batch)
                                : fmt::format("batch per replica {}", plan.batch_per_replica);
}

/// Halves the batch until `obstacle(work)` is "".
template <typename Obstacle>
void shrink_until(HostWork& work, Obstacle obstacle) {
  const std::string asked = batch_words(work);
  const std::string first = obstacle(work);
  for (std::string why = first; !why.empty(); why = obstacle(work)) {
    std::vector<int> counts;
    for (const PlannedPoint& point : work.planned) counts.push_back(point.devices);
    const auto smaller = with_half_batch(work.spec, counts);
    if (!smaller) {
      work.reason = fmt::format("{}: {}", asked, first);
      work.planned.clear();
      return;
    }
    work.spec = *smaller;
    work.planned = plan_points(work.spec, work.topology, counts);
  }
  if (!first.empty()) work.reduced = fmt::format("measured with {} instead of {}: {}", batch_words(work), asked, first);
}

/// Warm-up and the fewest repetitions of every point; each repetition of a long step takes one more to fill the
/// pipeline.
double needed_seconds(const std::vector<Point>& points, const StoppingRule& rule) {
  constexpr int kWarmUpSteps = 7, kStepsPerRepetition = 2;
  double seconds = 0;
  for (const Point& point : points)
    seconds += (kStepsPerRepetition * rule.min_repetitions + kWarmUpSteps) * point.step_seconds.predicted->value;
  return seconds;
}

/// Sizes near the planned ones first, and never those; 1 replica and as many as are planned.
HostCalibrationRequest calibration_request(const HostWork& work, const HostProbe& probe) {
  HostCalibrationRequest request = host_calibration_request(work.spec, probe);
  if (work.planned.empty()) return request;
  request.grid.replicas = {1};
  if (work.planned.back().devices > 1) request.grid.replicas.push_back(work.planned.back().devices);
  const ModelReport model = model_report(work.spec, work.planned.front().plan);
  if (model.name != "mlp") return request;
  for (const PlannedPoint& point : work.planned)
    request.grid.excluded.push_back(
        {model.options.at("hidden"), model.options.at("layers"), point.plan.batch_per_replica});
  request.grid.around = request.grid.excluded;
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
  for (const PlannedPoint& point : work.planned)
    trials.push_back({fmt::format("{} replica(s)", point.devices), &point.plan});
  const CpuMeasurement measurement = measure_on_cpu(trials, options, budget, progress);
  loop.disturbance = measurement.disturbance;
  const auto& results = measurement.results;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i].turns.empty()) {
      loop.report.points[i].step_seconds.reason = "the time budget was used up";
      continue;
    }
    fill_measured(loop.report.points[i], results[i]);
  }
}

/// A loop that was not closed.
HostLoop open_loop(std::string reason) {
  HostLoop loop;
  loop.report.reason = std::move(reason);
  return loop;
}

}  // namespace

HostWork plan_host_work(const RunSpec& asked, const HostProbe& probe, double seconds) {
  HostWork work;
  work.spec = asked;
  if (asked.topology != kHost) {
    work.spec.topology = kHost;
    work.spec.devices.clear();
    work.spec.calibration.reset();
    work.spec.anchor.reset();
  }
  work.threads_per_replica = threads_per_replica(work.spec, probe.facts());
  work.topology = resolve_topology(work.spec, probe);
  const auto counts = host_counts(asked, work.spec, work.topology.devices());
  work.planned = plan_points(work.spec, work.topology, counts);
  shrink_until(work, [seconds](const HostWork& now) { return too_large(now, seconds); });
  return work;
}

HostLoop close_loop(HostWork work, Machine host, const TimeBudget& budget, Progress& progress) {
  HostLoop loop;
  loop.machine = std::move(host);
  loop.report.topology = work.topology.spec;
  loop.report.calibration = calibration_report(*loop.machine);
  shrink_until(work, [&](const HostWork& now) {
    loop.report.points = predict_points(now.planned, *loop.machine, now.spec);
    const double needed = needed_seconds(loop.report.points, StoppingRule{});
    if (needed <= budget.remaining()) return std::string();
    return fmt::format("measuring takes about {}, {} is left of the time budget", format_seconds(needed),
                       format_seconds(budget.remaining()));
  });
  loop.reduced = work.reduced;
  loop.report.reason = work.reason;
  if (!work.planned.empty()) measure(loop, work, budget, progress);
  derive_scaling(loop.report.points);
  summarise(loop.report);
  return loop;
}

HostLoop run_on_host(const RunSpec& asked, const HostProbe& probe, const TimeBudget& budget, Progress& progress) {
  constexpr double kCalibrationShare = 0.4;
  if (asked.measure == Measure::off) return open_loop("--measure off");
  const HostWork work = plan_host_work(asked, probe, budget.remaining());
  HostLoop loop = open_loop(work.reason);
  if (!work.planned.empty() || asked.topology == kHost) {
    const Machine host =
        calibrated_host(work.spec, calibration_request(work, probe), budget.part(kCalibrationShare), progress);
    loop = close_loop(work, host, budget, progress);
  }
  if (asked.measure == Measure::required && !loop.report.median_abs_error)
    throw Error(ExitCode::run_failed, {"--measure required", "nothing could be measured here: " + loop.report.reason,
                                       "", "raise --time-budget or lower the batch"});
  return loop;
}

std::optional<Machine> machine_before_measuring(const RunSpec& spec, const Topology& topology) {
  const bool calibrates = spec.topology == kHost && !spec.calibration && spec.measure != Measure::off;
  if (!calibrates) return described_machine(spec, topology);
  check_anchor(spec, topology);
  return std::nullopt;
}

Machine machine_after_measuring(const RunSpec& spec, const std::optional<Machine>& before, const HostLoop& host) {
  return before ? *before : pinned_by_anchor(host.machine.value(), spec);
}

void adopt_measured(std::vector<Point>& points, const RunSpec& spec, const HostLoop& host) {
  if (spec.topology != kHost) return;
  for (Point& point : points)
    for (const Point& measured : host.report.points)
      if (measured.devices == point.devices && measured.global_batch == point.global_batch) {
        point.step_seconds.measured = measured.step_seconds.measured;
        point.exposed_communication_seconds.measured = measured.exposed_communication_seconds.measured;
        point.compute_seconds.measured = measured.compute_seconds.measured;
        point.input_seconds.measured = measured.input_seconds.measured;
      }
  derive_scaling(points);
}

}  // namespace dtbench
