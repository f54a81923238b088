// Training throughput of mlps on this machine, as a fraction of the FMA peak measured in the same run: one replica of
// one or two threads, and two replicas of one. FLOPs are those of the plan (products and the rest), no guess.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <vector>

#include "engine/cpu/cpu_backend.h"
#include "engine/cpu/host_probe.h"
#include "engine/cpu/peak.h"
#include "engine/plan/plan_step.h"
#include "engine/runtime/step_engine.h"

namespace {

using namespace dtbench;

StepPlan plan_of(std::int64_t hidden, std::int64_t layers, int replicas, const BackendTraits& traits) {
  StepRequest request;
  request.model = "mlp";
  request.model_options = {{"hidden", hidden}, {"layers", layers}};
  request.batch_per_replica = 128;
  request.replicas = replicas;
  request.shape = {1, replicas};
  request.traits = traits;
  return plan_step(request);
}

double flops_of(const StepPlan& plan) {
  double flops = 0;
  for (const PlanOp& op : plan.classes.front().ops) flops += op.flops;
  return flops * plan.ranks;
}

// Arguments: hidden, layers, replicas, threads per replica. Time is that of a step.
void train(benchmark::State& state) {
  const int replicas = static_cast<int>(state.range(2)), threads = static_cast<int>(state.range(3));
  const auto backend = make_cpu_backend();
  if (backend->device_count(threads) < replicas) return state.SkipWithError("not enough cores");
  EngineOptions options;
  options.threads_per_replica = threads;
  StepEngine engine(*backend, options);
  const StepPlan plan = plan_of(state.range(0), state.range(1), replicas, backend->traits());
  std::vector<double> seconds;
  for (auto _ : state) {
    const auto traces = engine.run(plan, 1);
    seconds.push_back(traces.front().step_seconds);
    state.SetIterationTime(seconds.back());
  }
  std::nth_element(seconds.begin(), seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2), seconds.end());
  const double step = seconds[seconds.size() / 2];
  std::vector<int> cpus = make_host_probe()->facts().core_cpus;
  cpus.resize(static_cast<std::size_t>(replicas * threads));
  state.counters["samples_per_second"] = static_cast<double>(plan.global_batch) / step;
  state.counters["fraction_of_peak"] = flops_of(plan) / step / measure_peak(cpus).flops_per_second;
}

void shapes(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"hidden", "layers", "replicas", "threads"})->UseManualTime()->Unit(benchmark::kMillisecond);
  for (const auto& [hidden, layers] : {std::pair{128, 1}, {1024, 3}, {2048, 4}})
    for (const auto& [replicas, threads] : {std::pair{1, 1}, {1, 2}, {2, 1}})
      benchmark->Args({hidden, layers, replicas, threads});
}

BENCHMARK(train)->Apply(shapes);

}  // namespace

BENCHMARK_MAIN();
