#include "sim/flow/flow_player.h"

#include <gtest/gtest.h>

#include "sim/flow/isolated_run.h"
#include "sim/flow/link_capacities.h"
#include "sim/flow/message_level.h"
#include "tests/unit/sim/flow_machines.h"

namespace dtbench {
namespace {

using namespace flow_test;

/// Plays the first op of each class, class c at `starts[c]`; when they ended. As flows, or message by message.
std::vector<double> ends(const StepPlan& plan, const Topology& topology, const std::vector<double>& starts,
                         FlowOptions options) {
  const Calibration calibration = ideal();
  PricedCollectives prices;
  for (const RankClass& cls : plan.classes)
    prices[&cls.ops[0]] = collective_phases(plan, *cls.ops[0].collective, topology, calibration);
  const FlowPlan flows = make_flow_plan(plan, topology, calibration, options);
  return isolated_run(
      [&] {
        SimClock clock;
        std::unique_ptr<CollectivePlayer> player;
        if (options.message_level)
          player = std::make_unique<MessagePlayer>(
              plan, topology, link_capacities(TopologyGraph(topology), topology, calibration, options.degraded), prices,
              clock);
        else
          player = std::make_unique<FlowPlayer>(flows, prices, clock);
        std::vector<double> ended(plan.classes.size());
        for (std::size_t c = 0; c < plan.classes.size(); ++c)
          clock.after(starts[c], [&, c] {
            const std::vector<int> classes = {int(c)};
            player->play({&plan.classes[c].ops[0], 0, &classes}, [&, c] { ended[c] = clock.now(); });
          });
        clock.run();
        return ended;
      },
      60);
}

class Contention : public testing::TestWithParam<bool> {
 protected:
  FlowOptions options(std::vector<DegradedLink> degraded = {}) const {
    FlowOptions chosen;
    chosen.message_level = GetParam();
    chosen.degraded = std::move(degraded);
    return chosen;
  }
};

// A ring of two moves the whole buffer over each edge: 16 MB at 16 GB/s take 1 ms alone.
TEST_P(Contention, LeavesLonelyCollectivesAlone) {
  const std::vector<double> ended = ends(two_pairs(16'000'000, 48'000'000), pcie_tree(), {0, 0.1}, options());
  EXPECT_NEAR(ended.at(0), 1e-3, 1e-12);
  EXPECT_NEAR(ended.at(1), 0.1 + 3e-3, 1e-10);
}

// Half the uplink each until the smaller is through after 2 ms; of the larger, 32 MB are left for the whole link.
TEST_P(Contention, HalvesTheUplinkWhileBothUseIt) {
  const std::vector<double> ended = ends(two_pairs(16'000'000, 48'000'000), pcie_tree(), {0, 0}, options());
  EXPECT_NEAR(ended.at(0), 2e-3, 1e-12);
  EXPECT_NEAR(ended.at(1), 4e-3, 1e-12);
}

// What the first has left after 0.5 ms takes 1 ms at half speed; then the second has 8 MB left.
TEST_P(Contention, CountsFromWhenTheSecondStarts) {
  const std::vector<double> ended = ends(two_pairs(16'000'000, 16'000'000), pcie_tree(), {0, 0.5e-3}, options());
  EXPECT_NEAR(ended.at(0), 1.5e-3, 1e-12);
  EXPECT_NEAR(ended.at(1), 2e-3, 1e-12);
}

// Device 1 can send only 4 GB/s: max-min leaves 12 of the uplink's 16 GB/s to the other pair, not 8.
TEST_P(Contention, GivesTheOtherWhatASlowDeviceCannotUse) {
  const std::vector<double> ended =
      ends(two_pairs(12'000'000, 4'000'000), pcie_tree(), {0, 0}, options({{"node0/gpu1/up", 0.25}}));
  EXPECT_NEAR(ended.at(0), 1e-3, 1e-12);
  EXPECT_NEAR(ended.at(1), 1e-3, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(FlowsAndMessages, Contention, testing::Bool());

TEST(FlowPlayer, StartsOnlyTheInstancesOfTheClassesThatMeet) {
  StepPlan plan = two_pairs(16'000'000, 16'000'000);
  plan.groups = {{"data", {0, 2, 2}, 2, 1, {1, 2}}};  // the same two pairs as instances of one group
  plan.classes[1].ops[0].collective->group = 0;
  const std::vector<double> ended = ends(plan, pcie_tree(), {0, 0.1}, {});
  EXPECT_NEAR(ended.at(0), 1e-3, 1e-12);  // 2e-3 if both instances had started
  EXPECT_NEAR(ended.at(1), 0.1 + 1e-3, 1e-10);
}

TEST(FlowPlayer, ReducingChangesNothingUnderContention) {
  for (const char* slow : {"node0/gpu0/up", "node0/gpu3/down", "node0/switch0/up", "node0/switch1/down"}) {
    FlowOptions reduced, full;
    reduced.degraded = full.degraded = {{slow, 0.4}};
    full.reduce_symmetry = false;
    const StepPlan plan = two_pairs(16'000'000, 48'000'000);
    const std::vector<double> a = ends(plan, pcie_tree(), {0, 1e-4}, reduced);
    const std::vector<double> b = ends(plan, pcie_tree(), {0, 1e-4}, full);
    for (std::size_t c = 0; c < a.size(); ++c) EXPECT_NEAR(a[c] / b[c], 1, 1e-12) << slow;
  }
}

}  // namespace
}  // namespace dtbench
