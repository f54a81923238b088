#include "sim/flow/flow_plan.h"

#include <gtest/gtest.h>

#include "tests/unit/sim/flow_machines.h"
#include "topologies/base/error.h"

namespace dtbench {
namespace {

using namespace flow_test;

FlowPlan flows_of(int nodes, const std::string& algorithm, FlowOptions options = {}) {
  return make_flow_plan(compute_then_reduce({nodes, 8}, 1 << 20, algorithm), switched(nodes, 8), ideal(), options);
}

TEST(FlowPlan, HasAFlowForEachNodeAndEachRail) {
  const FlowPlan plan = flows_of(4, "hierarchical", {.reduce_symmetry = false});
  ASSERT_EQ(plan.sets.size(), 2u);
  EXPECT_EQ(plan.sets[0].flows.size() + plan.sets[1].flows.size(), 4u + 8u);
  EXPECT_EQ(plan.system.capacities.size(), 4u * (16 + 16));
}

TEST(FlowPlan, HasOneFlowForAFlatRing) {
  const FlowPlan plan = flows_of(4, "ring", {.reduce_symmetry = false});
  ASSERT_EQ(plan.system.flows.size(), 1u);
  // Each device sends within its node or through its NIC: 7 edges of 2 links and 1 edge of 2 device links and 2 NICs.
  EXPECT_EQ(plan.system.flows[0].links.size() % 4, 0u);
}

TEST(FlowPlan, IsTheSameForTwoNodesAsForThousands) {
  for (const char* algorithm : {"ring", "hierarchical"}) EXPECT_EQ(flows_of(2, algorithm), flows_of(8192, algorithm));
}

TEST(FlowPlan, ReducesToOneFlowForEachPhase) {
  const FlowPlan plan = flows_of(64, "hierarchical");
  EXPECT_EQ(plan.system.flows.size(), 2u);
  EXPECT_EQ(plan.system.capacities.size(), 2u);
}

TEST(FlowPlan, ListsAllNodesWhenOneOfThemDiffers) {
  const FlowPlan plan = flows_of(64, "hierarchical", {.degraded = {{"node5/nic3/up", 0.5}}});
  EXPECT_EQ(plan.system.flows.size(), 3u);  // nodes, rail 3, the other rails
}

TEST(FlowPlan, TakesEfficiencyByClassOfLink) {
  Calibration calibration = ideal();
  calibration.links["switch"] = {exactly(0), exactly(0), exactly(0.8), {}};
  calibration.links["network"] = {exactly(0), exactly(0), exactly(0.5), {}};
  const FlowPlan plan =
      make_flow_plan(compute_then_reduce({2, 8}, 1 << 20, "hierarchical"), switched(2, 8), calibration, {});
  EXPECT_EQ(plan.system.capacities, (std::vector<double>{80e9, 5e9}));
}

TEST(FlowPlan, IsEmptyWithoutCollectives) {
  StepPlan plan = compute_then_reduce({1, 1}, 0);
  plan.groups.clear();
  plan.classes[0].ops.pop_back();
  plan.classes[0].ops[0].after.clear();
  EXPECT_EQ(make_flow_plan(plan, switched(1, 1), Calibration{}, {}), FlowPlan{});
}

TEST(FlowPlan, NamesTheNearestLinkWhenOneIsUnknown) {
  try {
    flows_of(2, "ring", {.degraded = {{"node1/nic4/upp", 0.5}}});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    EXPECT_NE(error.parts().hint.find("node1/nic4/up"), std::string::npos) << error.what();
  }
}

TEST(FlowPlan, RefusesAFactorThatIsNotPositive) {
  for (const double factor : {0.0, -1.0})
    EXPECT_THROW(flows_of(2, "ring", {.degraded = {{"node1/nic4/up", factor}}}), Error);
}

}  // namespace
}  // namespace dtbench
