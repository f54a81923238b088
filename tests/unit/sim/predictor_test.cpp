#include "sim/predictor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/model/cost_model.h"
#include "sim/model/uncertainty.h"
#include "tests/unit/sim/model_machines.h"
#include "topologies/base/error.h"

namespace dtbench {
namespace {

using test::layered_plan;
using test::round_calibration;
using test::switched_machine;
using ::testing::HasSubstr;

constexpr double kFlops = 2e9;
constexpr std::int64_t kGradientBytes = 40'000'000;

StepPlan plan_on(int nodes, int per_node) { return layered_plan(nodes, per_node, 10, kFlops, kGradientBytes); }

double throughput(const StepPlan& plan, double step_seconds) { return double(plan.global_batch) / step_seconds; }

Calibration wider(Calibration calibration, double factor) {
  for (auto& [key, op] : calibration.ops) {
    op.overhead_seconds.ln_sd *= factor;
    op.flop_rate->ln_sd *= factor;
    op.byte_rate->ln_sd *= factor;
  }
  for (auto& [key, link] : calibration.links)
    for (Parameter* parameter : {&link.launch_seconds, &link.alpha_seconds, &link.efficiency})
      parameter->ln_sd *= factor;
  return calibration;
}

TEST(Predict, OneDeviceIsTheSumOfItsOpsAndDoesNotCommunicate) {
  const Prediction prediction = predict(plan_on(1, 1), switched_machine(1, 8), round_calibration());
  EXPECT_NEAR(prediction.step_seconds.value, 21 * 1e-6 + (10 * 3 + 0.1) * 2e-3, 1e-12);
  EXPECT_EQ(prediction.exposed_communication_seconds.value, 0);
  EXPECT_EQ(prediction.communication_seconds, 0);
  EXPECT_EQ(prediction.bottleneck.kind, "compute");
  EXPECT_EQ(prediction.bottleneck.link, "");
  EXPECT_NEAR(prediction.bottleneck.share, 1, 1e-12);
}

TEST(Predict, OnlyTheTailOfOverlappedCommunicationIsExposed) {
  const Topology machine = switched_machine(1, 8);
  const StepPlan plan = plan_on(1, 8);
  const Prediction prediction = predict(plan, machine, round_calibration());
  CapacityTable capacities(machine);
  const double reduce =
      collective_seconds(plan, *plan.classes[0].ops[11].collective, machine, round_calibration(), capacities);
  ASSERT_LT(reduce, 4e-3);  // shorter than the backward of a layer, so that only the last one shows
  EXPECT_NEAR(prediction.exposed_communication_seconds.value, reduce, 1e-12);
  EXPECT_NEAR(prediction.step_seconds.value, 21 * 1e-6 + 60.2e-3 + reduce, 1e-12);
}

TEST(Predict, NamesTheLinkThatItWaitsFor) {
  const Prediction prediction =
      predict(layered_plan(4, 8, 10, 1e6, 400'000'000), switched_machine(4, 8), round_calibration());
  EXPECT_EQ(prediction.bottleneck.kind, "communication");
  EXPECT_EQ(prediction.bottleneck.link, "network");
  EXPECT_GT(prediction.bottleneck.share, 0.9);
}

TEST(Predict, FastPathAndTraceAgree) {
  for (const int per_node : {1, 2, 8})
    EXPECT_EQ(predict_step_seconds(plan_on(1, per_node), switched_machine(1, 8), round_calibration()),
              predict(plan_on(1, per_node), switched_machine(1, 8), round_calibration()).step_seconds.value);
}

TEST(Predict, IntervalsHoldTheNominalValueAndWidenWithTheUncertainty) {
  const Topology machine = switched_machine(2, 8);
  const StepPlan plan = plan_on(2, 8);
  double width = 0;
  for (const double factor : {0.1, 0.5, 1.0, 2.0}) {
    const Prediction prediction = predict(plan, machine, wider(round_calibration(), factor));
    const Interval& step = prediction.step_seconds;
    EXPECT_LE(step.low, step.value);
    EXPECT_GE(step.high, step.value);
    if (factor > 0) {
      EXPECT_GT(step.high - step.low, width) << factor;
    }
    width = step.high - step.low;
    const Interval& exposed = prediction.exposed_communication_seconds;
    EXPECT_LE(exposed.low, exposed.value);
    EXPECT_GE(exposed.high, exposed.value);
    EXPECT_GE(exposed.low, 0);
  }
}

TEST(Predict, IntervalsWidenOutsideTheMeasuredSizes) {
  const auto relative_width = [](double largest_measured) {
    Calibration calibration = round_calibration();
    calibration.ops["*/*"].flop_rate->points = {{1e3, 1e12}, {largest_measured, 1e12}};
    const Interval step = predict(plan_on(1, 1), switched_machine(1, 1), calibration).step_seconds;
    return (step.high - step.low) / step.value;
  };
  EXPECT_GT(relative_width(1e6), 1.5 * relative_width(1e10));
}

TEST(Predict, ASeedIsAnAnswer) {
  const auto samples = [](std::uint64_t seed) {
    PredictorOptions options;
    options.seed = seed;
    return predict(plan_on(1, 8), switched_machine(1, 8), round_calibration(), options).step_samples;
  };
  EXPECT_EQ(samples(7), samples(7));
  EXPECT_NE(samples(7), samples(8));
}

TEST(Predict, DrawsAreTheSameMachineForEveryPlan) {
  // With one factor for all compute rates and nothing else uncertain, draws of two plans of compute are proportional.
  Calibration calibration = round_calibration();
  calibration.ops["*/*"].overhead_seconds = {};
  const auto small = predict(plan_on(1, 1), switched_machine(1, 1), calibration).step_samples;
  const auto large = predict(layered_plan(1, 1, 20, kFlops, kGradientBytes), switched_machine(1, 1), calibration).step_samples;
  for (std::size_t k = 0; k < small.size(); ++k) EXPECT_NEAR(large[k] / small[k], 40 * 1.5025 / 30.1, 0.01) << k;
}

TEST(Predict, DrawsStayBelowThePhysicalBounds) {
  Calibration calibration = round_calibration();
  for (auto& [key, op] : calibration.ops) op.flop_rate->ln_sd = 3;
  calibration.ops["dense/float32"] = calibration.ops["*/*"];
  calibration.links["*"].efficiency.ln_sd = 3;
  const Topology machine = switched_machine(1, 8);
  for (int k = 0; k < 200; ++k) {
    const Calibration drawn = drawn_calibration(calibration, machine, 1, k);
    for (const RateCurve::Point& point : drawn.ops.at("dense/float32").flop_rate->points) EXPECT_LE(point.rate, 2e12);
    EXPECT_LE(drawn.links.at("*").efficiency.value, 1);
  }
}

TEST(Predict, MoreBandwidthOrFlopRateIsNeverSlower) {
  const StepPlan plan = plan_on(2, 4);
  Topology machine = switched_machine(2, 4);
  double before = predict_step_seconds(plan, machine, round_calibration());
  for (int i = 0; i < 8; ++i) {
    machine.within_node.bandwidth *= 1.7;
    machine.between_nodes->bandwidth *= 1.4;
    const double step = predict_step_seconds(plan, machine, round_calibration());
    EXPECT_LE(step, before);
    before = step;
  }
  Calibration calibration = round_calibration();
  for (int i = 0; i < 8; ++i) {
    for (RateCurve::Point& point : calibration.ops["*/*"].flop_rate->points) point.rate *= 2;
    const double step = predict_step_seconds(plan, machine, calibration);
    EXPECT_LE(step, before);
    before = step;
  }
}

TEST(Predict, WeakScalingEfficiencyLiesBetweenZeroAndOne) {
  const double alone = predict_step_seconds(plan_on(1, 1), switched_machine(1, 8), round_calibration());
  double before = 1;
  for (const int nodes : {1, 2, 16, 1024, 8192}) {
    const double step = predict_step_seconds(plan_on(nodes, 8), switched_machine(nodes, 8), round_calibration());
    const double efficiency = alone / step;
    EXPECT_GT(efficiency, 0);
    EXPECT_LE(efficiency, 1);
    EXPECT_LE(efficiency, before) << nodes << " nodes";
    before = efficiency;
  }
}

TEST(Predict, RefusesMoreRanksThanDevices) {
  try {
    predict(plan_on(1, 8), switched_machine(1, 4), round_calibration());
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("8 ranks"));
    EXPECT_THAT(error.what(), HasSubstr("4 devices"));
  }
}

TEST(Anchored, PredictsItsAnchorExactly) {
  for (const auto& [nodes, per_node] : {std::pair{1, 1}, {1, 8}, {4, 8}})
    for (const double speed : {0.02, 0.5, 1.0, 1.3}) {
      const Topology machine = switched_machine(nodes, per_node);
      const StepPlan plan = plan_on(nodes, per_node);
      const double wanted = speed * throughput(plan, predict_step_seconds(plan, machine, round_calibration()));
      const Calibration calibration = anchored(plan, machine, round_calibration(), wanted);
      EXPECT_NEAR(throughput(plan, predict_step_seconds(plan, machine, calibration)) / wanted, 1, 1e-9)
          << nodes << 'x' << per_node << " at " << speed;
    }
}

TEST(Anchored, LeavesLinksAloneAndSaysWhereItsRatesComeFrom) {
  const StepPlan plan = plan_on(1, 1);
  const Topology machine = switched_machine(1, 1);
  const Calibration calibration = anchored(plan, machine, round_calibration(), 100);
  EXPECT_EQ(calibration.links, round_calibration().links);
  EXPECT_EQ(calibration.ops.at("*/*").flop_rate->origin, Origin::measured);
  EXPECT_THAT(calibration.ops.at("*/*").flop_rate->source, HasSubstr("100 samples/s on 1 device"));
}

TEST(Anchored, RefusesAnAnchorThatCommunicationAloneForbids) {
  const Topology machine = switched_machine(4, 8);
  const StepPlan plan = plan_on(4, 8);
  try {
    anchored(plan, machine, round_calibration(), 1e9);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("communication, input and overhead alone take"));
  }
  for (const double nonsense : {0.0, -1.0, std::numeric_limits<double>::infinity()})
    EXPECT_THROW(anchored(plan, machine, round_calibration(), nonsense), Error);
}

TEST(MakeSimulator, RunsTheClosedFormAsAStepRunner) {
  const auto simulator = make_simulator(switched_machine(1, 8), round_calibration(), Fidelity::closed_form);
  const auto traces = simulator->run(plan_on(1, 8), 3);
  ASSERT_EQ(traces.size(), 1u);
  EXPECT_EQ(traces[0].runner, "closed-form");
  EXPECT_EQ(traces[0].ranks.size(), 1u);
  EXPECT_EQ(traces[0].step_seconds, predict_step_seconds(plan_on(1, 8), switched_machine(1, 8), round_calibration()));
}

}  // namespace
}  // namespace dtbench
