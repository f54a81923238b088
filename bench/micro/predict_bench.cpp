// How fast a step is predicted: the fast path of sweeps, with and without the work of a new plan, and the full
// prediction.
#include <benchmark/benchmark.h>

#include "engine/plan/plan_step.h"
#include "sim/model/closed_form.h"
#include "sim/model/cost_model.h"
#include "sim/predictor.h"
#include "topologies/topology_library.h"

namespace dtbench {
namespace {

class NoHost : public HostProbe {
 public:
  HostFacts facts() const override { return {}; }
};

struct Case {
  Topology topology;
  Calibration calibration;
  StepPlan plan;
};

/// mlp with ten buckets of one layer each.
Case ten_buckets(const char* spelling) {
  Case c;
  c.topology = TopologyLibrary().resolve(spelling, NoHost());
  c.calibration = shipped_calibration(c.topology, data_directory());
  StepRequest request;
  request.model_options = {{"hidden", 1024}, {"layers", 10}};
  request.replicas = c.topology.devices();
  request.shape = {c.topology.nodes, c.topology.devices_per_node};
  request.bucket_bytes = 4'000'000;
  request.traits.prefetches_input = true;
  c.plan = plan_step(request);
  return c;
}

void step_seconds(benchmark::State& state, const char* spelling) {
  const Case c = ten_buckets(spelling);
  for (auto _ : state) benchmark::DoNotOptimize(predict_step_seconds(c.plan, c.topology, c.calibration));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK_CAPTURE(step_seconds, 8xA100, "8xA100");
BENCHMARK_CAPTURE(step_seconds, 8192x8xA100, "8192x8xA100");

/// What remains when the walk and the link capacities are kept, as the parameter draws and the fits do.
void walk_only(benchmark::State& state) {
  const Case c = ten_buckets("8xA100");
  const WalkProgram program(c.plan);
  CapacityTable capacities(c.topology);
  const WalkTimes times = walk_times(c.plan, c.topology, c.calibration, capacities);
  for (auto _ : state) benchmark::DoNotOptimize(closed_form_step_seconds(program, times));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(walk_only);

void prediction_with_intervals(benchmark::State& state) {
  const Case c = ten_buckets("8xA100");
  for (auto _ : state) benchmark::DoNotOptimize(predict(c.plan, c.topology, c.calibration));
}
BENCHMARK(prediction_with_intervals)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace dtbench

BENCHMARK_MAIN();
