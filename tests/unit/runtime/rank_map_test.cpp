#include "engine/runtime/rank_map.h"

#include <gtest/gtest.h>

namespace dtbench {
namespace {

// 8 ranks: tensor-parallel pairs {0,1} {2,3} ...; data-parallel groups {0,2,4,6} and {1,3,5,7}.
StepPlan mesh_plan() {
  StepPlan plan;
  plan.ranks = 8;
  plan.replicas = 4;
  plan.groups = {{"model", {0, 2, 1}, 4, 2, {1, 2}}, {"data", {0, 4, 2}, 2, 1, {2, 2}}};
  plan.classes.resize(2);
  plan.classes[0].ranks = {{0, 3, 2}, {7, 1, 1}};
  plan.classes[1].ranks = {{1, 3, 2}, {6, 1, 1}};
  return plan;
}

TEST(RankMap, ExpandsTheClassOfEachRank) {
  EXPECT_EQ(classes_of_ranks(mesh_plan()), (std::vector<int>{0, 1, 0, 1, 0, 1, 1, 0}));
}

TEST(RankMap, FindsTheInstanceAndMemberOfStridedGroups) {
  const StepPlan plan = mesh_plan();
  EXPECT_EQ(place_in_group(plan.groups[0], 5), (GroupPlace{2, 1}));
  EXPECT_EQ(place_in_group(plan.groups[1], 5), (GroupPlace{1, 2}));
  EXPECT_EQ(place_in_group({"data", {2, 2, 1}, 1, 0, {1, 2}}, 1), std::nullopt);
  EXPECT_EQ(place_in_group({"data", {2, 2, 1}, 1, 0, {1, 2}}, 4), std::nullopt);
  EXPECT_EQ(ranks_of_instance(plan.groups[1], 1), (std::vector<int>{1, 3, 5, 7}));
}

TEST(RankMap, ReplicaIsThePlaceOnTheDataAxis) {
  StepPlan plan = mesh_plan();
  std::vector<int> replicas;
  for (int rank = 0; rank < plan.ranks; ++rank) replicas.push_back(replica_of_rank(plan, rank));
  EXPECT_EQ(replicas, (std::vector<int>{0, 0, 1, 1, 2, 2, 3, 3}));
  plan.groups.clear();
  plan.replicas = 2;
  EXPECT_EQ(replica_of_rank(plan, 3), 0);
  EXPECT_EQ(replica_of_rank(plan, 4), 1);
}

}  // namespace
}  // namespace dtbench
