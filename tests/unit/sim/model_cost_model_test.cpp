#include "sim/model/cost_model.h"

#include <gtest/gtest.h>

#include "engine/collectives/algorithm.h"
#include "sim/model/phase_links.h"
#include "tests/unit/sim/model_machines.h"
#include "topologies/topology_library.h"

namespace dtbench {
namespace {

using test::layered_plan;
using test::round_calibration;
using test::switched_machine;

constexpr std::int64_t kBytes = 80'000'000;

CollectiveCall all_reduce(const char* algorithm, std::int64_t bytes = kBytes) {
  CollectiveCall call;
  call.bytes = bytes;
  call.algorithm = algorithm;
  return call;
}

double seconds_of(const StepPlan& plan, const CollectiveCall& call, const Topology& topology,
                  const Calibration& calibration) {
  CapacityTable capacities(topology);
  return collective_seconds(plan, call, topology, calibration, capacities);
}

TEST(OpSeconds, AddsOverheadFlopsAndBytes) {
  PlanOp op;
  op.kind = "dense";
  op.flops = 2e9;
  op.bytes = 3e8;
  EXPECT_DOUBLE_EQ(op_seconds(op, {}, round_calibration()), 1e-6 + 2e-3 + 3e-3);
}

TEST(OpSeconds, MoreBytesOrFlopsAreNeverFaster) {
  Calibration calibration = round_calibration();
  calibration.ops["*/*"].flop_rate = RateCurve{{{1e4, 1e9}, {1e6, 3e10}, {1e9, 9e11}}, 0, Origin::fitted, ""};
  PlanOp op;
  double before = 0;
  for (double flops = 1e2; flops < 1e12; flops *= 1.3) {
    op.flops = flops;
    const double seconds = op_seconds(op, {}, calibration);
    EXPECT_GE(seconds, before) << flops;
    before = seconds;
  }
}

TEST(CollectiveSeconds, OfARingBehindASwitch) {
  const Topology machine = switched_machine(1, 8);
  const StepPlan plan = layered_plan(1, 8, 1, 1e9, kBytes);
  // 14 rounds of 1 us, launch 10 us, 2 * 7/8 of the bytes at half of 100 GB/s.
  EXPECT_DOUBLE_EQ(seconds_of(plan, all_reduce("ring"), machine, round_calibration()),
                   10e-6 + 14e-6 + 2 * 7.0 / 8 * kBytes / 50e9);
}

TEST(CollectiveSeconds, OfRailsBetweenNodes) {
  const Topology machine = switched_machine(4, 8);
  const StepPlan plan = layered_plan(4, 8, 1, 1e9, kBytes);
  const double within = 2 * 7.0 / 8 * kBytes / 50e9;
  const double between = 2 * 3.0 / 4 * kBytes / 8 / 5e9;  // each rail an eighth, over its own 10 GB/s NIC
  EXPECT_NEAR(seconds_of(plan, all_reduce("hierarchical"), machine, round_calibration()),
              10e-6 + (14 + 6) * 1e-6 + within + between, 1e-12);
}

TEST(CollectiveSeconds, OfAFlatRingOverNodesIsSetByItsNic) {
  const Topology machine = switched_machine(4, 8);
  const StepPlan plan = layered_plan(4, 8, 1, 1e9, kBytes);
  EXPECT_NEAR(seconds_of(plan, all_reduce("ring"), machine, round_calibration()),
              10e-6 + 62e-6 + 2 * 31.0 / 32 * kBytes / 5e9, 1e-12);
}

TEST(CollectiveSeconds, TwoNodesStandForMany) {
  // The same computation on the full graph of 5 nodes gives the same slowest edge.
  const Topology machine = switched_machine(5, 4);
  const Group group{"data", {0, 20, 1}, 1, 0, {5, 4}};
  const TopologyGraph graph(machine);
  for (const Scope scope : {Scope::flat, Scope::within_node, Scope::between_nodes}) {
    const PhaseFootprint footprint = phase_footprint(graph, group_ranks(group, 0), group.shape, scope, 4);
    std::vector<int> times(graph.links().size(), 0);
    for (const auto& unit : footprint.units)
      for (const LinkUse& use : unit) times[use.link] += use.times;
    double slowest = 1e300;
    for (std::size_t link = 0; link < times.size(); ++link)
      if (times[link] > 0) slowest = std::min(slowest, footprint.rings * graph.links()[link].bandwidth / times[link]);
    CapacityTable capacities(machine);
    const EdgeCapacity& capacity = capacities.capacity(group, scope);
    EXPECT_DOUBLE_EQ(std::min(capacity.within_node, capacity.between_nodes), slowest);
  }
}

TEST(CollectiveSeconds, InstancesThatShareANicShareItsBandwidth) {
  // Two groups of one rank a node, on one NIC per node: each gets half.
  Topology machine = switched_machine(4, 2);
  machine.between_nodes->nics_per_node = 1;
  const Group group{"data", {0, 4, 2}, 2, 1, {4, 1}};
  CapacityTable capacities(machine);
  EXPECT_DOUBLE_EQ(capacities.capacity(group, Scope::between_nodes).between_nodes, 5e9);
}

TEST(CollectiveSeconds, AMeshUsesAllItsRings) {
  Topology machine = TopologyLibrary().resolve(
      "8xV100-SXM2-16GB@dgx1", *[] {
        struct NoHost : HostProbe {
          HostFacts facts() const override { return {}; }
        };
        static const NoHost host;
        return &host;
      }());
  const Group group{"data", {0, 8, 1}, 1, 0, {1, 8}};
  CapacityTable capacities(machine);
  // Six NVLinks of 25 GB/s each way per device, all in use.
  EXPECT_DOUBLE_EQ(capacities.capacity(group, Scope::flat).within_node, 150e9);
}

TEST(CollectiveSeconds, NeverBeatsTheWireAndFollowsBandwidthAndBytes) {
  const StepPlan plan = layered_plan(2, 4, 1, 1e9, kBytes);
  for (const char* algorithm : {"ring", "hierarchical"}) {
    double before = 0;
    for (std::int64_t bytes = 1; bytes < 4'000'000'000; bytes *= 3) {
      Topology machine = switched_machine(2, 4);
      const double seconds = seconds_of(plan, all_reduce(algorithm, bytes), machine, round_calibration());
      EXPECT_GE(seconds, before) << algorithm << ' ' << bytes;
      // Half of the buffer must leave each node once and the sums come back, at most at four NICs' nominal rate.
      EXPECT_GE(seconds, double(bytes) / (4 * 10e9)) << algorithm << ' ' << bytes;
      machine.within_node.bandwidth *= 2;
      machine.between_nodes->bandwidth *= 2;
      EXPECT_LE(seconds_of(plan, all_reduce(algorithm, bytes), machine, round_calibration()), seconds);
      before = seconds;
    }
  }
}

TEST(CollectiveSeconds, ASizeFactorScalesTheBandwidthOnly) {
  const Topology machine = switched_machine(1, 2);
  const StepPlan plan = layered_plan(1, 2, 1, 1e9, kBytes);
  Calibration calibration = round_calibration();
  calibration.links["*"].size_factor = RateCurve{{{1, 0.25}}, 0, Origin::fitted, ""};
  const auto phases = collective_phases(plan, all_reduce("ring"), machine, calibration);
  ASSERT_EQ(phases.size(), 1u);
  EXPECT_DOUBLE_EQ(phases[0].edge_bandwidth, 12.5e9);
  EXPECT_DOUBLE_EQ(phases[0].size_factor, 0.25);
  EXPECT_DOUBLE_EQ(phases[0].delay_seconds, 12e-6);
  EXPECT_DOUBLE_EQ(phases[0].launch_seconds, 10e-6);
}

TEST(CrowdingFactor, GrowsFromOneDeviceToAll) {
  Calibration calibration = round_calibration();
  calibration.crowding.value = 1.6;
  const Topology machine = switched_machine(2, 4);
  EXPECT_DOUBLE_EQ(crowding_factor(machine, calibration, 1), 1);
  EXPECT_DOUBLE_EQ(crowding_factor(machine, calibration, 2), 1.2);
  EXPECT_DOUBLE_EQ(crowding_factor(machine, calibration, 4), 1.6);
  EXPECT_DOUBLE_EQ(crowding_factor(machine, calibration, 8), 1.6);
  EXPECT_DOUBLE_EQ(crowding_factor(switched_machine(8, 1), calibration, 8), 1);
}

}  // namespace
}  // namespace dtbench
