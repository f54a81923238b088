#include "engine/collectives/ring.h"

#include <gtest/gtest.h>

namespace dtbench {
namespace {

TEST(Ring, AllReduceMovesTwoNMinusOneOverNOfTheBytes) {
  const std::vector<Phase> phases = ring_phases(CollectiveKind::all_reduce, {1, 8}, 800);
  ASSERT_EQ(phases.size(), 1u);
  EXPECT_EQ(phases[0], (Phase{Scope::flat, 8, 14, 1400}));
}

TEST(Ring, HalvesOfAllReduceMoveHalf) {
  for (const CollectiveKind kind : {CollectiveKind::reduce_scatter, CollectiveKind::all_gather})
    EXPECT_EQ(ring_phases(kind, {2, 4}, 800), (std::vector{Phase{Scope::flat, 8, 7, 700}}));
}

TEST(Ring, NeedsNothingForOneRank) {
  EXPECT_TRUE(ring_schedule(CollectiveKind::all_reduce, {1, 1}).rounds.empty());
  EXPECT_TRUE(ring_phases(CollectiveKind::all_reduce, {1, 1}, 800).empty());
}

TEST(Ring, OfTwoRanksExchangesThenReturnsOneChunkEach) {
  const Schedule schedule = ring_schedule(CollectiveKind::all_reduce, {1, 2});
  ASSERT_EQ(schedule.rounds.size(), 2u);
  EXPECT_EQ(schedule.rounds[0], (std::vector<Transfer>{{0, 1, 1, true}, {1, 0, 0, true}}));
  EXPECT_EQ(schedule.rounds[1], (std::vector<Transfer>{{0, 1, 0, false}, {1, 0, 1, false}}));
}

TEST(Ring, TalksToTheSuccessorOnly) {
  for (const auto& round : ring_schedule(CollectiveKind::all_reduce, {1, 7}).rounds)
    for (const Transfer& transfer : round) EXPECT_EQ(transfer.to, (transfer.from + 1) % 7);
}

}  // namespace
}  // namespace dtbench
