// How long planning takes: one training step of small and large models on 1, 8 and 512 replicas.
#include <benchmark/benchmark.h>

#include <string>

#include "engine/plan/models/model.h"
#include "engine/plan/plan_step.h"

namespace {

using namespace dtbench;

StepRequest request_of(const std::string& model, int replicas) {
  constexpr int kDevicesPerNode = 8;
  StepRequest request;
  request.model = model;
  request.batch_per_replica = 8;
  request.strategy = replicas > 1 ? "mirrored" : "single";
  request.replicas = replicas;
  request.shape =
      replicas > kDevicesPerNode ? GroupShape{replicas / kDevicesPerNode, kDevicesPerNode} : GroupShape{1, replicas};
  request.traits.prefetches_input = true;
  return request;
}

void plan(benchmark::State& state, const std::string& model) {
  const StepRequest request = request_of(model, static_cast<int>(state.range(0)));
  std::size_t ops = 0;
  for (auto _ : state) {
    const StepPlan step = plan_step(request);
    ops = step.classes.front().ops.size();
    benchmark::DoNotOptimize(step.classes.data());
  }
  state.counters["ops"] = static_cast<double>(ops);
}

void check(benchmark::State& state, const std::string& model) {
  const StepPlan step = plan_step(request_of(model, 8));
  for (auto _ : state) benchmark::DoNotOptimize(check_plan(step));
}

}  // namespace

int main(int argc, char** argv) {
  for (const char* model : {"mlp", "resnet50", "bert_large"}) {
    benchmark::RegisterBenchmark(("plan_step/" + std::string(model)).c_str(), plan, model)
        ->ArgName("replicas")
        ->Arg(1)
        ->Arg(8)
        ->Arg(512)
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(("check_plan/" + std::string(model)).c_str(), check, model)
        ->Unit(benchmark::kMillisecond);
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
}
