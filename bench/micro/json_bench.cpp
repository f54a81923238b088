// Results as JSON, written and read, and the gate that compares them.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "reports/regression/compare_json.h"
#include "reports/regression/compare_samples.h"
#include "reports/regression/google_benchmark.h"
#include "reports/regression/sample_file.h"
#include "topologies/base/json_reader.h"

namespace {

using namespace dtbench;

SampleFile samples(int metrics, int repetitions, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(0, 0.01);
  SampleFile file{fmt::format("{}.json", seed), "google-benchmark", {{"cpu", "x"}}, {}, {}};
  for (int i = 0; i < metrics; ++i) {
    MetricSamples metric{fmt::format("metric/{}", i), "s", Better::lower, MetricKind::absolute, {}};
    for (int k = 0; k < repetitions; ++k) metric.repetitions.push_back(std::exp(normal(random)));
    file.metrics.push_back(std::move(metric));
  }
  return file;
}

std::string text_of(int metrics) {
  std::vector<LeftOut> left_out;
  return google_benchmark_text(samples(metrics, 9, 1), left_out);
}

void write(benchmark::State& state) {
  const SampleFile file = samples(static_cast<int>(state.range(0)), 9, 1);
  std::size_t bytes = 0;
  for (auto _ : state) {
    std::vector<LeftOut> left_out;
    bytes = google_benchmark_text(file, left_out).size();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
}
BENCHMARK(write)->Arg(10)->Arg(1000)->Unit(benchmark::kMicrosecond);

void parse(benchmark::State& state) {
  const std::string text = text_of(static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(parse_json(text, "x.json"));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(parse)->Arg(10)->Arg(1000)->Unit(benchmark::kMicrosecond);

void read(benchmark::State& state) {
  const Json json = parse_json(text_of(static_cast<int>(state.range(0))), "x.json");
  for (auto _ : state) benchmark::DoNotOptimize(sample_file_from_json(json, "x.json"));
}
BENCHMARK(read)->Arg(10)->Arg(1000)->Unit(benchmark::kMicrosecond);

void compare(benchmark::State& state) {
  const int metrics = static_cast<int>(state.range(0)), repetitions = static_cast<int>(state.range(1));
  const SampleFile base = samples(metrics, repetitions, 1), changed = samples(metrics, repetitions, 2);
  for (auto _ : state) benchmark::DoNotOptimize(compare_samples(base, changed, {}));
}
BENCHMARK(compare)->Args({10, 9})->Args({10, 33})->Args({10, 500})->Args({100, 9})->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
