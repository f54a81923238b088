#include "engine/collectives/hierarchical.h"

#include <gtest/gtest.h>

namespace dtbench {
namespace {

TEST(Hierarchical, SendsOnePartOfKOverEachRail) {
  const std::vector<Phase> phases = hierarchical_phases(CollectiveKind::all_reduce, {4, 8}, 3200);
  const Phase within{Scope::within_node, 8, 7, 2800};
  EXPECT_EQ(phases, (std::vector{within, Phase{Scope::between_nodes, 4, 6, 600}, within}));
}

TEST(Hierarchical, IsTheRailAloneWithOneRankANode) {
  EXPECT_EQ(hierarchical_phases(CollectiveKind::all_reduce, {4, 1}, 3200),
            (std::vector{Phase{Scope::between_nodes, 4, 6, 4800}}));
}

TEST(Hierarchical, CrossesNodesOnRailsOnly) {
  const Schedule schedule = hierarchical_schedule(CollectiveKind::all_reduce, {3, 4});
  for (std::size_t round = 0; round < schedule.rounds.size(); ++round)
    for (const Transfer& t : schedule.rounds[round]) {
      const bool rail_phase = round >= 3 && round < 7;
      EXPECT_EQ(t.from / 4 != t.to / 4, rail_phase) << "round " << round;
      if (rail_phase) {
        EXPECT_EQ(t.from % 4, t.to % 4);
      }
    }
}

}  // namespace
}  // namespace dtbench
