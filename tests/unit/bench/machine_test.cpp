#include "bench/machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/study.h"
#include "engine/plan/op_rule.h"
#include "tests/support/error_message.h"
#include "tests/unit/topologies/fake_host_probe.h"
#include "topologies/topology_library.h"

namespace dtbench {
namespace {

using ::testing::HasSubstr;

Topology a100s() { return TopologyLibrary().resolve("8xA100", FakeHostProbe()); }

RunSpec small_host_request() {
  RunSpec spec;
  spec.topology = "8xA100";
  spec.model_options = {{"hidden", 512}, {"layers", 2}};
  spec.batch_per_replica = 256;
  return spec;
}

TEST(DescribedMachine, IsUncalibratedWithoutAFile) {
  const Machine machine = described_machine(small_host_request(), a100s());
  EXPECT_EQ(machine.calibration.origin, Origin::data_sheet);
  EXPECT_EQ(machine.calibration_source, "shipped");
  EXPECT_NE(calibration_report(machine).reason, "");
}

TEST(DescribedMachine, PricesEveryKindOfOperation) {
  const Machine machine = described_machine(small_host_request(), a100s());
  for (const OpRule& rule : op_rules()) {
    const OpCalibration& entry = machine.calibration.op(rule.kind, Arithmetic::float32);
    EXPECT_TRUE(entry.flop_rate || entry.byte_rate) << rule.kind;
  }
}

TEST(PinnedByAnchor, MeetsTheAnchorAtItsOwnBatchAndCount) {
  RunSpec spec = small_host_request();
  spec.anchor = Anchor{2, 200000, "images/s", {}, {}, 64};
  const Machine machine = described_machine(spec, a100s());
  spec.batch_per_replica = 64;
  const auto planned = plan_points(spec, machine.topology, {2});
  const double rate = predict_points(planned, machine, spec).points[0].samples_per_second.predicted->value;
  EXPECT_NEAR(rate, 200000, 200);
  EXPECT_THAT(machine.calibration_source, HasSubstr("--anchor"));
}

TEST(CheckAnchor, AcceptsTheRequestsOwnWords) {
  RunSpec spec = small_host_request();
  spec.anchor = Anchor{8, 1000, "samples/s", "mlp", "float32", {}};
  EXPECT_EQ(message_of([&] { check_anchor(spec, a100s()); }), "");
}

TEST(CheckAnchor, RefusesWhatContradictsTheRequest) {
  const auto refused = [](Anchor anchor) {
    RunSpec spec = small_host_request();
    spec.anchor = std::move(anchor);
    return message_of([&] { check_anchor(spec, a100s()); });
  };
  EXPECT_THAT(refused({1, 1000, "images/s", "resnet50", {}, {}}), HasSubstr("model=resnet50 contradicts"));
  EXPECT_THAT(refused({1, 1000, "images/s", {}, "bfloat16", {}}), HasSubstr("precision=bfloat16 contradicts"));
  EXPECT_THAT(refused({1, 1000, "tokens/s", {}, {}, {}}), HasSubstr("unit=tokens/s contradicts"));
  EXPECT_THAT(refused({9, 1000, "images/s", {}, {}, {}}), HasSubstr("devices=9 contradicts"));
}

TEST(CheckPrecision, NamesWhatTheDeviceComputes) {
  const auto refused = [](const std::string& topology, const std::string& precision) {
    RunSpec spec = small_host_request();
    spec.precision = precision;
    const Topology machine = TopologyLibrary().resolve(topology, FakeHostProbe());
    return message_of([&] { check_precision(spec, machine.device); });
  };
  EXPECT_THAT(refused("8xV100", "mixed_bfloat16"), HasSubstr("'float32' or 'mixed_float16'"));
  EXPECT_THAT(refused("8xV100", "tf32"), HasSubstr("--precision: 'tf32', which V100"));
  EXPECT_THAT(refused("8xK80", "mixed_float16"), HasSubstr("expected 'float32'"));
  EXPECT_THAT(refused("host", "tf32"), HasSubstr("'tf32', which this host does not compute"));
  for (const char* precision : {"float32", "tf32", "mixed_bfloat16", "mixed_float16"})
    EXPECT_EQ(refused("8xA100", precision), "");
}

TEST(PlanPoints, RefusesABatchThatDoesNotDivideBeforePlanning) {
  RunSpec spec = small_host_request();
  spec.batch_per_replica.reset();
  spec.global_batch = 12;
  EXPECT_THAT(message_of([&] { plan_points(spec, a100s(), {1, 2, 8}); }), HasSubstr("--global-batch"));
}

TEST(PredictPoints, DescribeEachPoint) {
  const RunSpec spec = small_host_request();
  const Machine machine = described_machine(spec, a100s());
  const auto planned = plan_points(spec, machine.topology, {1, 8});
  const PredictedPoints predicted = predict_points(planned, machine, spec);
  ASSERT_EQ(predicted.points.size(), 2u);
  EXPECT_EQ(predicted.traces.size(), 2u);
  EXPECT_EQ(predicted.points[0].collective_algorithm, "");
  EXPECT_EQ(predicted.points[1].collective_executed_by, "library");
  EXPECT_EQ(predicted.points[1].global_batch, 8 * 256);
  EXPECT_EQ(predicted.points[1].memory_bytes.capacity, 80'000'000'000);
  EXPECT_EQ(predicted.points[0].speedup.predicted->value, 1);
  EXPECT_GT(predicted.points[1].speedup.predicted->value, 1);
  EXPECT_LE(predicted.points[1].speedup.predicted->value, 8);
}

TEST(ModelReport, CompletesTheOptionsWithTheDefaults) {
  const RunSpec spec = small_host_request();
  const auto planned = plan_points(spec, a100s(), {1});
  const ModelReport report = model_report(spec, planned[0].plan);
  EXPECT_EQ(report.options.at("hidden"), 512);
  EXPECT_EQ(report.options.at("inputs"), 784);
  EXPECT_EQ(report.parameters, 785 * 512 + 513 * 512 + 513 * 10);
}

}  // namespace
}  // namespace dtbench
