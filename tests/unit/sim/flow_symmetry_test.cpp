#include "sim/flow/symmetry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "sim/flow/isolated_run.h"
#include "sim/flow/sim_clock.h"

namespace dtbench {
namespace {

/// Sets of flows that start together, each `delay` after the one before, `bytes` each; dates by flow.
std::vector<double> dates(const FlowSystem& system, const std::vector<double>& starts,
                          const std::vector<double>& bytes) {
  return isolated_run(
      [&] {
        SimClock clock;
        for (const double capacity : system.capacities) clock.add_link(capacity);
        std::vector<double> ended(system.flows.size());
        for (std::size_t f = 0; f < system.flows.size(); ++f) {
          const int route = clock.add_route(system.flows[f].links);
          const int set = system.flows[f].together;
          clock.after(starts[set],
                      [&, f, route, set] { clock.start_flow(route, bytes[set], [&, f] { ended[f] = clock.now(); }); });
        }
        clock.run();
        return ended;
      },
      60);
}

void expect_same_dates(const FlowSystem& full, const std::vector<double>& starts, const std::vector<double>& bytes,
                       const std::string& what) {
  const ReducedFlows reduced = reduce_symmetry(full);
  const std::vector<double> expected = dates(full, starts, bytes), found = dates(reduced.system, starts, bytes);
  ASSERT_EQ(reduced.flow_of.size(), expected.size()) << what;
  for (std::size_t f = 0; f < expected.size(); ++f)
    EXPECT_NEAR(found.at(reduced.flow_of[f]) / expected[f], 1, 1e-12) << what << " flow " << f;
}

/// `nodes` nodes of 4 with a switch inside and a NIC each, rails crossing a shared trunk; set 0 within nodes, set 1
/// rails.
FlowSystem machine(int nodes, double trunk) {
  FlowSystem system;
  const auto link = [&](double capacity) {
    system.capacities.push_back(capacity);
    return int(system.capacities.size()) - 1;
  };
  std::vector<std::vector<int>> up(nodes), nic(nodes);
  for (int n = 0; n < nodes; ++n)
    for (int d = 0; d < 4; ++d) {
      up[n].push_back(link(250e9));
      nic[n].push_back(link(25e9));
    }
  const int shared = link(trunk);
  for (int n = 0; n < nodes; ++n) {
    std::vector<LinkUse> uses;
    for (const int l : up[n]) uses.push_back({l, 1});
    uses.push_back({nic[n][0], 1});  // so that both sets meet on a link
    system.flows.push_back({0, uses});
  }
  for (int d = 0; d < 4; ++d) {
    std::vector<LinkUse> uses;
    for (int n = 0; n < nodes; ++n) uses.push_back({nic[n][d], 1});
    uses.push_back({shared, nodes});
    system.flows.push_back({1, uses});
  }
  return system;
}

TEST(ReduceSymmetry, LeavesOneFlowOfEachKind) {
  const ReducedFlows reduced = reduce_symmetry(machine(16, 1e12));
  EXPECT_EQ(reduced.system.flows.size(), 3u);  // nodes; rail 0, which meets them; the other rails
  EXPECT_LE(reduced.system.capacities.size(), 4u);
}

TEST(ReduceSymmetry, KeepsAllDatesOfASymmetricMachine) {
  expect_same_dates(machine(6, 50e9), {1e-6, 0.3e-3}, {20e6, 5e6}, "symmetric");
}

TEST(ReduceSymmetry, KeepsAllDatesWithASlowLinkAnywhere) {
  const FlowSystem whole = machine(4, 60e9);
  for (std::size_t slow = 0; slow < whole.capacities.size(); ++slow) {
    FlowSystem system = whole;
    system.capacities[slow] /= 3;
    expect_same_dates(system, {0, 0.1e-3}, {20e6, 5e6}, "slow link " + std::to_string(slow));
  }
}

TEST(ReduceSymmetry, KeepsAllDatesOfRandomSystems) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    std::mt19937 random(seed);
    FlowSystem system;
    const int links = 3 + int(random() % 10), flows = 2 + int(random() % 14), sets = 1 + int(random() % 3);
    for (int l = 0; l < links; ++l) system.capacities.push_back(random() % 2 ? 10e9 : 20e9);
    for (int f = 0; f < flows; ++f) {
      std::vector<int> order(links);
      for (int l = 0; l < links; ++l) order[l] = l;
      std::shuffle(order.begin(), order.end(), random);
      FlowSystem::Flow flow{int(random() % sets), {}};
      for (int l = 0; l < 1 + int(random() % 3); ++l) flow.links.push_back({order[l], 1 + int(random() % 2)});
      system.flows.push_back(flow);
    }
    expect_same_dates(system, {0, 0.2e-3, 0.5e-3}, {10e6, 7e6, 3e6}, "seed " + std::to_string(seed));
  }
}

TEST(ReduceSymmetry, DoesNotMergeFlowsThatStartApart) {
  const FlowSystem system{{1e9, 1e9}, {{0, {{0, 1}}}, {1, {{1, 1}}}}};
  EXPECT_EQ(reduce_symmetry(system).system.flows.size(), 2u);
}

TEST(ReduceSymmetry, MergesLinksThatTheSameFlowsCrossIntoTheSmallest) {
  const FlowSystem system{{9e9, 4e9, 8e9, 7e9}, {{0, {{0, 1}, {1, 2}, {2, 1}}}, {1, {{2, 1}, {3, 1}}}}};
  const ReducedFlows reduced = reduce_symmetry(system);
  EXPECT_EQ(reduced.system.capacities, (std::vector<double>{2e9, 8e9, 7e9}));
}

}  // namespace
}  // namespace dtbench
