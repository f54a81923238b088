#include "bench/engine_benchmark.h"

#include <gtest/gtest.h>

#include "engine/cpu/host_probe.h"
#include "topologies/base/error.h"

namespace dtbench {
namespace {

TEST(CoreLayouts, UseOneThreadAllCoresAndOneReplicaACore) {
  EXPECT_EQ(default_layouts(1), (std::vector<CoreLayout>{{1, 1}}));
  EXPECT_EQ(default_layouts(4), (std::vector<CoreLayout>{{1, 1}, {1, 4}, {4, 1}}));
}

TEST(CoreLayouts, AreReadInOrder) {
  EXPECT_EQ(parse_layouts("2x3,1x1", 8, "--layout"), (std::vector<CoreLayout>{{2, 3}, {1, 1}}));
  for (const char* wrong : {"", "1", "1x", "x1", "1x1x1", "0x1", "3x3", "1x1,1x1", "axb"})
    EXPECT_THROW(parse_layouts(wrong, 8, "--layout"), Error) << wrong;
}

TEST(EngineBenchmark, MeasuresEveryLayoutAsOftenAsAsked) {
  EngineBenchmark request;
  request.options = {{"hidden", 16}, {"layers", 1}};
  request.batch_per_replica = 4;
  request.layouts = {{1, 1}};
  request.repetitions = 3;
  const HostFacts facts = make_host_probe()->facts();
  Progress progress(true);
  const EngineBenchmarkReport report = benchmark_engine(request, facts, TimeBudget(60), progress);
  ASSERT_EQ(report.metrics.size(), 1u);
  const BenchMetric& metric = report.metrics.front();
  EXPECT_EQ(metric.name, "engine/mlp/float32/1x1/step_seconds");
  EXPECT_EQ(metric.measured.repetitions.size(), 3u);
  EXPECT_DOUBLE_EQ(metric.details.at("samples_per_second") * metric.measured.value, 4);
  EXPECT_GT(metric.details.at("fraction_of_peak"), 0);
  EXPECT_LT(metric.details.at("fraction_of_peak"), 1);
}

TEST(EngineBenchmark, NamesWhatThereWasNoTimeFor) {
  EngineBenchmark request;
  request.layouts = {{1, 1}};
  Progress progress(true);
  const EngineBenchmarkReport report =
      benchmark_engine(request, make_host_probe()->facts(), TimeBudget(0), progress);
  EXPECT_TRUE(report.metrics.empty());
  EXPECT_EQ(report.left_out, (std::vector<std::string>{"engine/mlp/float32/1x1"}));
}

}  // namespace
}  // namespace dtbench
