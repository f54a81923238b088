// Collectives as data: building a schedule, proving it, and its closed form, for every algorithm. What running one
// costs is in runtime_bench.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "engine/collectives/algorithm.h"
#include "engine/collectives/schedule_check.h"

namespace {

using namespace dtbench;

constexpr CollectiveKind kKind = CollectiveKind::all_reduce;

void build(benchmark::State& state, const CollectiveAlgorithm& algorithm, GroupShape shape) {
  std::size_t transfers = 0;
  for (auto _ : state) {
    const Schedule schedule = algorithm.schedule(kKind, shape);
    transfers = 0;
    for (const auto& round : schedule.rounds) transfers += round.size();
    benchmark::DoNotOptimize(schedule.rounds.data());
  }
  state.counters["transfers"] = static_cast<double>(transfers);
  state.counters["transfers/s"] =
      benchmark::Counter(static_cast<double>(transfers), benchmark::Counter::kIsIterationInvariantRate);
}

void prove(benchmark::State& state, const CollectiveAlgorithm& algorithm, GroupShape shape) {
  const Schedule schedule = algorithm.schedule(kKind, shape);
  for (auto _ : state) benchmark::DoNotOptimize(check_schedule(schedule, kKind));
}

void closed_form(benchmark::State& state, const CollectiveAlgorithm& algorithm, GroupShape shape) {
  for (auto _ : state) benchmark::DoNotOptimize(algorithm.phases(kKind, shape, 1e8));
}

}  // namespace

int main(int argc, char** argv) {
  constexpr GroupShape kShapes[] = {{1, 8}, {8, 8}, {32, 8}};
  constexpr int kLargestProof = 64;  // of 256 ranks takes seconds
  for (const CollectiveAlgorithm& algorithm : collective_algorithms())
    for (const GroupShape shape : kShapes) {
      if (!algorithm.supports(kKind, shape)) continue;
      const std::string name = fmt::format("{}/{}x{}", algorithm.name, shape.nodes, shape.per_node);
      const auto add = [&](const char* what, auto function) {
        benchmark::RegisterBenchmark(fmt::format("{}/{}", what, name).c_str(), [&algorithm, shape,
                                                                                function](benchmark::State& state) {
          function(state, algorithm, shape);
        })->Unit(benchmark::kMicrosecond);
      };
      add("schedule", build);
      if (shape.ranks() <= kLargestProof) add("check", prove);
      add("closed_form", closed_form);
    }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
}
