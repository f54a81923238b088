// What the flow model costs: an mlp step with 50 buckets on 8 to 65,536 devices, child process included.
//
// Beside the wall time: CPU time of one run in this process and its child, and the largest resident size so far of
// either; run one size alone (--benchmark_filter) for its own.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <algorithm>
#include <string>

#include "engine/plan/plan_step.h"
#include "sim/flow/flow_simulator.h"
#include "topologies/topology_library.h"

namespace {

using namespace dtbench;

constexpr int kPerNode = 8;

class NoHost : public HostProbe {
 public:
  HostFacts facts() const override { return {}; }
};

Topology machine(int devices) {
  const std::string nodes = devices > kPerNode ? std::to_string(devices / kPerNode) + "x" : "";
  return TopologyLibrary().resolve(nodes + "8xA100", NoHost());
}

StepPlan fifty_buckets(int devices) {
  StepRequest request;
  request.model_options = {{"hidden", 4096}, {"layers", 24}};  // 25 weights and 25 biases, each a bucket
  request.replicas = devices;
  request.shape = {std::max(1, devices / kPerNode), std::min(devices, kPerNode)};
  request.bucket_bytes = 1;
  return plan_step(request);
}

rusage usage_of(int who) {
  rusage usage{};
  getrusage(who, &usage);
  return usage;
}

/// Of this process and its ended children.
double cpu_seconds() {
  const auto seconds = [](const timeval& time) { return double(time.tv_sec) + 1e-6 * double(time.tv_usec); };
  double sum = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    const rusage usage = usage_of(who);
    sum += seconds(usage.ru_utime) + seconds(usage.ru_stime);
  }
  return sum;
}

double peak_megabytes() {
  return double(std::max(usage_of(RUSAGE_SELF).ru_maxrss, usage_of(RUSAGE_CHILDREN).ru_maxrss)) * 1024 / 1e6;
}

void step_of_50_buckets(benchmark::State& state, const FlowOptions& options) {
  const int devices = int(state.range(0));
  const Topology topology = machine(devices);
  const StepPlan plan = fifty_buckets(devices);
  const auto simulator = make_flow_simulator(topology, shipped_calibration(topology, data_directory()), options);
  const double before = cpu_seconds();
  for (auto _ : state) benchmark::DoNotOptimize(simulator->run(plan, 1));
  state.counters["cpu_ms"] = benchmark::Counter(1e3 * (cpu_seconds() - before), benchmark::Counter::kAvgIterations);
  state.counters["peak_MB"] = peak_megabytes();
}

void Symmetric(benchmark::State& state) { step_of_50_buckets(state, {}); }
BENCHMARK(Symmetric)->Arg(8)->Arg(64)->Arg(512)->Arg(4096)->Arg(65536)->Unit(benchmark::kMillisecond)->UseRealTime();

/// One slow NIC: nodes are no longer alike, every link is listed and refined.
void OneSlowNic(benchmark::State& state) {
  FlowOptions options;
  options.degraded = {{"node1/nic0/up", 0.5}};
  step_of_50_buckets(state, options);
}
BENCHMARK(OneSlowNic)->Arg(64)->Arg(512)->Arg(4096)->Arg(65536)->Unit(benchmark::kMillisecond)->UseRealTime();

/// Every link and flow simulated.
void NotReduced(benchmark::State& state) { step_of_50_buckets(state, {.reduce_symmetry = false}); }
BENCHMARK(NotReduced)->Arg(8)->Arg(64)->Arg(512)->Unit(benchmark::kMillisecond)->UseRealTime();

void MessageByMessage(benchmark::State& state) { step_of_50_buckets(state, {.message_level = true}); }
BENCHMARK(MessageByMessage)->Arg(8)->Arg(64)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(1);

}  // namespace

BENCHMARK_MAIN();
