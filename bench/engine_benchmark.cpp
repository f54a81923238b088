#include "bench/engine_benchmark.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <memory>

#include "bench/measure.h"
#include "bench/options.h"
#include "bench/study.h"
#include "bench/work_size.h"
#include "engine/cpu/cpu_backend.h"
#include "engine/cpu/peak.h"
#include "engine/plan/plan_step.h"
#include "engine/runtime/step_engine.h"
#include "topologies/base/error.h"
#include "topologies/base/units.h"

namespace dtbench {

namespace {

/// One plan on its layout, ready to be measured.
struct LayoutLane {
  std::string name;
  CoreLayout layout;
  StepPlan plan;
  std::unique_ptr<StepEngine> engine;
};

std::vector<LayoutLane> lanes_of(const EngineBenchmark& request, const Backend& backend) {
  std::vector<LayoutLane> lanes;
  for (const std::string& model : request.scope.models)
    for (const std::string& precision : request.scope.precisions)
      for (const CoreLayout& layout : request.layouts) {
        const std::int64_t batch = request.batch_per_replica.value_or(default_batch_per_replica(model));
        EngineOptions options;
        options.threads_per_replica = layout.threads;
        options.seed = request.seed;
        lanes.push_back({fmt::format("engine/{}/{}/{}x{}", model, precision, layout.replicas, layout.threads), layout,
                         plan_of({model, request.options, batch, layout.replicas, precision}, {}, backend.traits()),
                         std::make_unique<StepEngine>(backend, options)});
      }
  return lanes;
}

double peak_of(const CoreLayout& layout, const HostFacts& facts) {
  std::vector<int> cpus = facts.core_cpus;
  cpus.resize(static_cast<std::size_t>(layout.replicas * layout.threads));
  return measure_peak(cpus).flops_per_second;
}

/// FLOP/s by the number of cores used.
std::map<int, double> peaks_of(const std::vector<CoreLayout>& layouts, const HostFacts& facts) {
  std::map<int, double> peaks;
  for (const CoreLayout& layout : layouts)
    if (const int cores = layout.replicas * layout.threads; !peaks.contains(cores))
      peaks[cores] = peak_of(layout, facts);
  return peaks;
}

BenchMetric metric_of(const LayoutLane& lane, const TrialResult& result, double peak) {
  const Measured step = result.measured(&Turn::step_seconds);
  const double flops = flops_of(lane.plan.classes.front()) * lane.plan.ranks;
  return {lane.name + "/step_seconds",
          "s",
          Better::lower,
          step,
          {{"samples_per_second", static_cast<double>(lane.plan.global_batch) / step.value},
           {"batch_per_replica", static_cast<double>(lane.plan.batch_per_replica)},
           {"flops_per_second", flops / step.value},
           {"fraction_of_peak", flops / step.value / peak},
           {"float32_peak_flops_per_second", peak}}};
}

int number_before(const std::string& text, std::size_t& at, char end, const char* option) {
  const std::size_t stop = std::min(text.find(end, at), text.size());
  const auto number = parse_integer(text.substr(at, stop - at), option, 1);
  at = stop + 1;
  return static_cast<int>(std::min<std::int64_t>(number, 1 << 16));
}

}  // namespace

std::vector<CoreLayout> default_layouts(int cores) {
  std::vector<CoreLayout> layouts = {{1, 1}};
  if (cores > 1) layouts.insert(layouts.end(), {{1, cores}, {cores, 1}});
  return layouts;
}

std::vector<CoreLayout> parse_layouts(const std::string& text, int cores, const char* option) {
  std::vector<CoreLayout> layouts;
  for (const std::string& word : split_list(text, option)) {
    if (std::count(word.begin(), word.end(), 'x') != 1)
      throw_bad_input({option, "'" + word + "'", "REPLICASxTHREADS, such as 1x2", ""});
    std::size_t at = 0;
    CoreLayout layout;
    layout.replicas = number_before(word, at, 'x', option);
    layout.threads = number_before(word, at, 'x', option);
    if (std::int64_t{layout.replicas} * layout.threads > cores)
      throw_bad_input({option, "'" + word + "'", fmt::format("at most the {} core(s) of this host", cores), ""});
    layouts.push_back(layout);
  }
  return layouts;
}

EngineBenchmarkReport benchmark_engine(const EngineBenchmark& request, const HostFacts& facts, const TimeBudget& budget,
                                       Progress& progress) {
  const auto backend = make_cpu_backend();
  const std::vector<LayoutLane> lanes = lanes_of(request, *backend);
  progress.phase("measuring the peak of this host");
  const std::map<int, double> peaks = peaks_of(request.layouts, facts);
  std::vector<Trial> trials;
  for (const LayoutLane& lane : lanes) trials.push_back({lane.name, &lane.plan, lane.engine.get(), 0});
  progress.phase("training on this host");
  const DisturbanceWatch watch;
  const StoppingRule rule{request.repetitions, request.repetitions, 0};
  const std::vector<TrialResult> results = measure_interleaved(trials, rule, budget, progress);
  EngineBenchmarkReport report;
  report.disturbance = watch.report();
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    const CoreLayout& layout = lanes[i].layout;
    if (results[i].turns.empty())
      report.left_out.push_back(lanes[i].name);
    else
      report.metrics.push_back(metric_of(lanes[i], results[i], peaks.at(layout.replicas * layout.threads)));
  }
  return report;
}

}  // namespace dtbench
