#include "sim/flow/flow_simulator.h"

#include <gtest/gtest.h>

#include "sim/flow/isolated_run.h"
#include "sim/model/closed_form.h"
#include "sim/model/cost_model.h"
#include "tests/unit/sim/flow_machines.h"
#include "topologies/base/error.h"
#include "topologies/topology_graph.h"

namespace dtbench {
namespace {

using namespace flow_test;

double step_seconds(const StepPlan& plan, const Topology& topology, const FlowOptions& options = {},
                    const Calibration& calibration = ideal()) {
  return make_flow_simulator(topology, calibration, options)->run(plan, 1).at(0).step_seconds;
}

TEST(FlowSimulator, TakesTheTimeComputedByHand) {
  Calibration calibration = ideal();
  calibration.links["switch"] = {exactly(10e-6), exactly(2e-6), exactly(0.5), {}};
  calibration.step_overhead_seconds = exactly(0.5e-3);
  // overhead + compute + launch + 14 alpha + 2 * 7/8 * 80 MB / 50 GB/s
  const double expected = 0.5e-3 + 1e-3 + 10e-6 + 14 * 2e-6 + 2.8e-3;
  const StepPlan plan = compute_then_reduce({1, 8}, 80'000'000);
  for (const bool messages : {false, true})
    EXPECT_NEAR(step_seconds(plan, switched(1, 8), {.message_level = messages}, calibration) / expected, 1, 1e-9);
}

TEST(FlowSimulator, ReportsOneTraceWithASpanForEveryOp) {
  const StepPlan plan = compute_then_reduce({1, 8}, 80'000'000);
  const auto simulator = make_flow_simulator(switched(1, 8), ideal());
  const std::vector<StepTrace> traces = simulator->run(plan, 3);
  ASSERT_EQ(traces.size(), 1u);
  EXPECT_EQ(traces[0].runner, "flow");
  EXPECT_EQ(simulator->name(), "flow");
  ASSERT_EQ(traces[0].ranks.size(), 1u);
  ASSERT_EQ(traces[0].ranks[0].spans.size(), 2u);
  EXPECT_EQ(traces[0].ranks[0].spans[1].op, 1);
  EXPECT_NEAR(traces[0].ranks[0].spans[1].start_seconds, 1e-3, 1e-12);
  EXPECT_NEAR(traces[0].ranks[0].spans[1].end_seconds, 2.4e-3, 1e-10);
}

TEST(FlowSimulator, GivesTheSameTwiceInOneProcess) {
  const StepPlan small = compute_then_reduce({1, 8}, 80'000'000), big = compute_then_reduce({2, 8}, 160'000'000);
  const auto one = make_flow_simulator(switched(1, 8), ideal()), two = make_flow_simulator(switched(2, 8), ideal());
  const StepTrace first = one->run(small, 1).at(0);
  two->run(big, 1);
  EXPECT_EQ(one->run(small, 1).at(0), first);
}

// Rings of 2 nodes over NICs of 10 GB/s: rail 0 takes twice as long behind a NIC of half speed.
TEST(FlowSimulator, WaitsForADegradedNic) {
  const StepPlan plan = compute_then_reduce({2, 4}, 40'000'000, "hierarchical");
  const double within = 2 * (3. / 4 * 40e6 / 100e9), between = 10e6 / 10e9;
  for (const bool messages : {false, true}) {
    FlowOptions options{.message_level = messages};
    EXPECT_NEAR(step_seconds(plan, switched(2, 4), options), 1e-3 + within + between, 1e-11);
    options.degraded = {{"node1/nic0/up", 0.5}};
    EXPECT_NEAR(step_seconds(plan, switched(2, 4), options), 1e-3 + within + 2 * between, 1e-11);
  }
}

TEST(FlowSimulator, ReducedEqualsFullWithAnyLinkDegraded) {
  const Topology topology = switched(3, 4);
  const TopologyGraph graph(topology);
  for (const char* algorithm : {"ring", "hierarchical"}) {
    const StepPlan plan = compute_then_reduce({3, 4}, 24'000'000, algorithm);
    for (const Link& link : graph.links()) {
      FlowOptions reduced{.degraded = {{link.name, 0.3}}}, full = reduced;
      full.reduce_symmetry = false;
      const double expected = step_seconds(plan, topology, full);
      EXPECT_NEAR(step_seconds(plan, topology, reduced) / expected, 1, 1e-12) << algorithm << " " << link.name;
      EXPECT_NEAR(step_seconds(plan, topology, {.message_level = true, .degraded = full.degraded}) / expected, 1, 1e-9)
          << algorithm << " " << link.name;
    }
  }
}

TEST(FlowSimulator, IsNeverSlowerWithMoreBandwidth) {
  const StepPlan plan = compute_then_reduce({2, 4}, 40'000'000, "hierarchical");
  for (const char* link : {"node0/gpu1/down", "node1/nic2/down"}) {
    double before = 1e9;
    for (const double factor : {0.1, 0.3, 0.5, 0.9, 1.0, 2.0}) {
      const double now = step_seconds(plan, switched(2, 4), {.degraded = {{link, factor}}});
      EXPECT_LE(now, before * (1 + 1e-12)) << link << " " << factor;
      before = now;
    }
  }
}

TEST(FlowSimulator, SplitsAClassWithoutChangingTheTime) {
  const StepPlan whole = compute_then_reduce({2, 4}, 40'000'000, "hierarchical");
  StepPlan split = whole;
  split.classes.push_back(split.classes[0]);
  split.classes[0].ranks = {{0, 4, 2}};
  split.classes[1].ranks = {{1, 4, 2}};
  EXPECT_DOUBLE_EQ(step_seconds(split, switched(2, 4)), step_seconds(whole, switched(2, 4)));
}

// Groups inside nodes and groups across nodes at once: model and data axes of a mesh.
TEST(FlowSimulator, ReducedEqualsFullForCrossingGroups) {
  StepPlan plan = compute_then_reduce({2, 4}, 40'000'000);
  plan.groups = {{"model", {0, 4, 1}, 2, 4, {1, 4}}, {"data", {0, 2, 4}, 4, 1, {2, 1}}};
  PlanOp across = all_reduce(8'000'000, 1);
  across.after = {{1, 0, 0}};
  plan.classes[0].ops[0].after = {{2, 1, 0}};
  plan.classes[0].ops.push_back(across);
  const double model = 2 * 3. / 4 * 40e6 / 100e9, data = 8e6 / 10e9;
  for (const bool reduce : {true, false})
    EXPECT_NEAR(step_seconds(plan, switched(2, 4), {.reduce_symmetry = reduce}), 1e-3 + model + data, 1e-11);
  EXPECT_NEAR(step_seconds(plan, switched(2, 4), {.message_level = true}), 1e-3 + model + data, 1e-11);
}

TEST(FlowSimulator, NamesTheLimitOfTheMessageLevel) {
  const StepPlan plan = compute_then_reduce({33, 8}, 8'000'000);
  try {
    step_seconds(plan, switched(33, 8), {.message_level = true});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    EXPECT_NE(error.parts().expected.find("256"), std::string::npos) << error.what();
    EXPECT_NE(error.parts().found.find("264"), std::string::npos) << error.what();
  }
}

TEST(FlowSimulator, RefusesMoreRanksThanDevices) {
  try {
    step_seconds(compute_then_reduce({1, 8}, 8), switched(1, 4));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
  }
}

TEST(FlowSimulator, EndsARunThatTakesTooLong) {
  const StepPlan plan = compute_then_reduce({32, 8}, 8'000'000);
  try {
    step_seconds(plan, switched(32, 8), {.message_level = true, .time_limit_seconds = 0.001});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::run_failed);
  }
}

TEST(FlowSimulator, SaysThatAPlanWaitsForItself) {
  StepPlan plan = compute_then_reduce({1, 8}, 8'000'000);
  plan.classes[0].ops[0].after = {{1, 0, 0}};
  try {
    step_seconds(plan, switched(1, 8));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::run_failed);
    EXPECT_NE(std::string(error.what()).find("wait"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace dtbench
