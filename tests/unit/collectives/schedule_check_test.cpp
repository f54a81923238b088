#include "engine/collectives/schedule_check.h"

#include <gtest/gtest.h>

namespace dtbench {
namespace {

Schedule pair_exchange() { return {2, 2, {{{0, 1, 1, true}, {1, 0, 0, true}}, {{0, 1, 0, false}, {1, 0, 1, false}}}}; }

TEST(CheckSchedule, AcceptsAProvenExchange) {
  EXPECT_EQ(check_schedule(pair_exchange(), CollectiveKind::all_reduce), "");
}

TEST(CheckSchedule, NamesWhatIsMissingAtTheEnd) {
  Schedule schedule = pair_exchange();
  schedule.rounds.pop_back();
  EXPECT_EQ(check_schedule(schedule, CollectiveKind::all_reduce),
            "at the end chunk 1 of rank 0 lacks the contribution of rank 1");
  EXPECT_EQ(check_schedule(schedule, CollectiveKind::reduce_scatter), "");
}

TEST(CheckSchedule, NamesWhatIsAddedTwice) {
  Schedule schedule = pair_exchange();
  schedule.rounds[1][0].reduce = true;
  EXPECT_EQ(check_schedule(schedule, CollectiveKind::all_reduce),
            "round 1, transfer of chunk 0 from 0 to 1: adds the contribution of rank 1 again");
}

TEST(CheckSchedule, RefusesToWriteWhatTheRoundReads) {
  const Schedule swap{2, 2, {{{0, 1, 0, true}, {1, 0, 0, true}}}};
  EXPECT_EQ(check_schedule(swap, CollectiveKind::all_reduce),
            "round 0, transfer of chunk 0 from 0 to 1: writes a chunk that the same round reads there");
}

TEST(CheckSchedule, RefusesTwoWritersOfOneChunkInARound) {
  const Schedule race{3, 3, {{{0, 2, 0, true}, {1, 2, 0, true}}}};
  EXPECT_EQ(check_schedule(race, CollectiveKind::all_reduce),
            "round 0, transfer of chunk 0 from 1 to 2: is the second to write this chunk in this round");
}

TEST(CheckSchedule, RefusesToGatherWhatIsNotThereYet) {
  const Schedule early{2, 2, {{{0, 1, 1, false}}}};
  EXPECT_EQ(check_schedule(early, CollectiveKind::all_gather),
            "round 0, transfer of chunk 1 from 0 to 1: sends a chunk that holds nothing yet");
}

TEST(CheckSchedule, KnowsBroadcastFromRankZero) {
  const Schedule chain{3, 1, {{{0, 1, 0, false}}, {{1, 2, 0, false}}}};
  EXPECT_EQ(check_schedule(chain, CollectiveKind::broadcast), "");
  EXPECT_EQ(check_schedule({3, 1, {{{0, 1, 0, false}}}}, CollectiveKind::broadcast),
            "at the end chunk 0 of rank 2 holds nothing");
}

TEST(CheckSchedule, RefusesRanksAndChunksThatDoNotExist) {
  EXPECT_NE(check_schedule({2, 2, {{{0, 2, 0, true}}}}, CollectiveKind::all_reduce).find("rank that does not exist"),
            std::string::npos);
  EXPECT_NE(check_schedule({2, 2, {{{0, 1, -1, true}}}}, CollectiveKind::all_reduce).find("chunk that does not exist"),
            std::string::npos);
  EXPECT_NE(check_schedule({2, 2, {{{1, 1, 0, true}}}}, CollectiveKind::all_reduce).find("sends to itself"),
            std::string::npos);
  EXPECT_NE(check_schedule({2, 3, {}}, CollectiveKind::all_reduce), "");
}

}  // namespace
}  // namespace dtbench
