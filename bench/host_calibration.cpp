#include "bench/host_calibration.h"

#include <fmt/chrono.h>
#include <fmt/core.h>

#include <algorithm>
#include <ctime>
#include <limits>
#include <map>
#include <utility>

#include "bench/environment.h"
#include "bench/host.h"
#include "bench/measure.h"
#include "bench/options.h"
#include "bench/sampling.h"
#include "bench/study.h"
#include "bench/trace_median.h"
#include "engine/cpu/cpu_backend.h"
#include "engine/plan/plan_step.h"
#include "engine/runtime/collective_timing.h"
#include "engine/runtime/step_engine.h"
#include "topologies/base/units.h"

namespace dtbench {

namespace {

constexpr int kFewestSteps = 3;

/// A turn of one size, or a few steps when it is large; the engine warms up by itself. The median seconds of a step.
double sample_size(CalibrationSamples& samples, const StepPlan& plan, StepRunner& engine) {
  std::vector<StepTrace> traces = engine.run(plan, kFewestSteps);
  const int steps = steps_per_turn(traces.front().step_seconds);
  if (steps > kFewestSteps) traces = engine.run(plan, steps);
  append_samples(samples, plan, traces);
  return median_over(traces, [](const StepTrace& trace) { return trace.step_seconds; });
}

/// Set-up, warm-up and the fewest steps, when the fastest step so far reached `flop_rate`.
double expected_seconds(double flops, double flop_rate) {
  constexpr double kWarmUpSteps = 5, kSlowerThanTheFastest = 1.5;
  return kSlowerThanTheFastest * (kWarmUpSteps + kFewestSteps) * flops / flop_rate;
}

/// FLOP/s of the best step so far of a model at a precision; before its first, of the slowest model.
class ReachedRates {
 public:
  double rate(const WorkSize& size) const {
    const auto own = best_.find({size.model, size.precision});
    if (own != best_.end()) return own->second;
    double slowest = std::numeric_limits<double>::infinity();
    for (const auto& [key, rate] : best_) slowest = std::min(slowest, rate);
    return slowest;
  }
  void record(const WorkSize& size, double rate) {
    double& best = best_[{size.model, size.precision}];
    best = std::max(best, rate);
  }

 private:
  std::map<std::pair<std::string, std::string>, double> best_;
};

double memory_of(const StepPlan& plan) { return static_cast<double>(largest_memory(plan).total) * plan.ranks; }

/// All-reduce alone, from one element to what no cache holds.
void sample_collectives(CalibrationSamples& samples, const HostCalibrationRequest& request, const Backend& backend) {
  const int ranks = *std::max_element(request.grid.scope.replicas.begin(), request.grid.scope.replicas.end());
  if (ranks < 2) return;
  CollectiveTimingRequest timing;
  timing.shape = {1, ranks};
  timing.threads_per_device = request.threads_per_replica;
  for (std::int64_t bytes = 64; bytes <= 64 * kMiB; bytes *= 4) timing.bytes.push_back(bytes);
  for (const CollectiveTiming& timed : time_collective(backend, timing))
    samples.collectives.push_back({request.topology.within_node.link_class, timing.algorithm, ranks,
                                   static_cast<double>(timed.bytes), timed.seconds});
}

}  // namespace

HostCalibrationRequest host_calibration_request(const RunSpec& spec, const HostProbe& probe) {
  constexpr double kUsableMemory = 0.5;
  RunSpec on_host = spec;
  on_host.topology = kHost;
  HostCalibrationRequest request;
  request.facts = probe.facts();
  request.threads_per_replica = threads_per_replica(on_host, request.facts);
  request.topology = resolve_topology(on_host, probe);
  request.grid.scope = {{spec.model}, {spec.precision}, device_counts(on_host, request.topology.devices())};
  request.grid.largest_bytes = kUsableMemory * available_memory_bytes();
  request.seed = spec.seed;
  request.asked = std::move(on_host);
  return request;
}

HostSamples sample_host(const HostCalibrationRequest& request, const TimeBudget& budget, Progress& progress) {
  const auto backend = make_cpu_backend();
  EngineOptions options;
  options.threads_per_replica = request.threads_per_replica;
  options.seed = request.seed;
  progress.phase("calibrating this host");
  HostSamples sampled;
  progress.detail("all-reduce");
  sample_collectives(sampled.samples, request, *backend);
  const TimeBudget sizes_clock(0);
  ReachedRates reached;
  for (const WorkSize& size : calibration_grid(request.grid)) {
    const StepPlan plan = plan_of(size, request.asked, backend->traits());
    if (request.grid.largest_bytes > 0 && memory_of(plan) > request.grid.largest_bytes) continue;
    const double flops = flops_of(plan.classes.front());
    const auto done = static_cast<double>(sampled.steps.size());
    const double usual = sizes_clock.elapsed() / std::max(1.0, done);
    if (done > 0 && std::max(usual, expected_seconds(flops, reached.rate(size))) > budget.remaining()) continue;
    progress.detail(text_of(size));
    StepEngine engine(*backend, options);
    const double step_seconds = sample_size(sampled.samples, plan, engine);
    reached.record(size, flops / step_seconds);
    sampled.steps.push_back({size, step_seconds});
  }
  return sampled;
}

Calibration fit_host(const HostCalibrationRequest& request, const CalibrationSamples& samples) {
  Calibration calibration = fit_calibration(samples, Calibration{}, request.topology);
  calibration.name = fmt::format("host {:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)));
  calibration.device = request.topology.device.name;
  calibration.conditions = host_conditions(request.facts, request.threads_per_replica);
  return calibration;
}

CalibratedHost calibrated_host(const RunSpec& spec, const HostCalibrationRequest& request, const TimeBudget& budget,
                               Progress& progress) {
  if (spec.calibration) return {described_machine(spec, request.topology), {}};
  HostSamples sampled = sample_host(request, budget, progress);
  return {{request.topology, fit_host(request, sampled.samples), "measured by this run, on other sizes"},
          std::move(sampled.steps)};
}

}  // namespace dtbench
