#include "topologies/mesh_routes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

namespace dtbench {
namespace {

std::vector<MeshEdge> all_to_all(int devices, int lanes) {
  std::vector<MeshEdge> mesh;
  for (int a = 0; a < devices; ++a)
    for (int b = a + 1; b < devices; ++b) mesh.push_back({a, b, lanes});
  return mesh;
}

int hops(const MeshRoutes& routes, int from, int to) {
  int count = 0;
  for (; from != to; from = routes.next(from, to))
    if (++count > routes.devices()) return -1;
  return count;
}

// Crossings of each directed link by all rings, relays included.
std::map<std::pair<int, int>, int> crossings(const MeshRoutes& routes, const std::vector<std::vector<int>>& rings) {
  std::map<std::pair<int, int>, int> count;
  for (const auto& ring : rings)
    for (std::size_t i = 0; i < ring.size(); ++i)
      for (int at = ring[i], to = ring[(i + 1) % ring.size()]; at != to; at = routes.next(at, to))
        ++count[{at, routes.next(at, to)}];
  return count;
}

void expect_each_member_once(const std::vector<std::vector<int>>& rings, int members) {
  ASSERT_FALSE(rings.empty());
  for (std::vector<int> ring : rings) {
    ASSERT_EQ(static_cast<int>(ring.size()), members);
    std::sort(ring.begin(), ring.end());
    for (int i = 0; i < members; ++i) ASSERT_EQ(ring[static_cast<std::size_t>(i)], i);
  }
}

// Greatest number of crossings per lane.
double worst_load(const MeshRoutes& routes, const std::vector<std::vector<int>>& rings) {
  double worst = 0;
  for (const auto& [link, count] : crossings(routes, rings))
    worst = std::max(worst, static_cast<double>(count) / routes.lanes(link.first, link.second));
  return worst;
}

TEST(MeshRoutes, TakesTheFewestHopsThenTheWidestWay) {
  //  0 - 1 = 3   and   0 = 2 = 3   and the long way 0 = 4 = 5 = 3
  const MeshRoutes routes({{0, 1, 1}, {1, 3, 4}, {0, 2, 2}, {2, 3, 2}, {0, 4, 9}, {4, 5, 9}, {5, 3, 9}}, 6);
  EXPECT_EQ(routes.next(0, 3), 2);
  EXPECT_EQ(routes.next(0, 1), 1);
  EXPECT_EQ(hops(routes, 0, 3), 2);
  EXPECT_EQ(hops(routes, 3, 4), 2);
}

TEST(MeshRoutes, GoesTheSameNumberOfHopsThereAndBack) {
  const MeshRoutes routes({{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 4, 1}, {4, 0, 1}}, 5);
  for (int a = 0; a < 5; ++a)
    for (int b = 0; b < 5; ++b) EXPECT_EQ(hops(routes, a, b), hops(routes, b, a));
}

TEST(DisjointRings, UseEveryLaneOfAFourGpuBoard) {
  // HGX A100 with 4 GPUs: 4 lanes a pair, 12 a GPU; 12 directed rings at one lane each fill them.
  const MeshRoutes routes(all_to_all(4, 4), 4);
  const auto rings = disjoint_rings(routes, 4);
  EXPECT_EQ(rings.size(), 12u);
  expect_each_member_once(rings, 4);
  for (const auto& [link, count] : crossings(routes, rings)) EXPECT_EQ(count, 4) << link.first << "-" << link.second;
}

TEST(DisjointRings, ShareLanesWhereWholeLanesLeaveSomeIdle) {
  // Four devices joined each to each: one disjoint cycle would leave two of six links idle.
  const MeshRoutes routes(all_to_all(4, 1), 4);
  const auto rings = disjoint_rings(routes, 4);
  EXPECT_EQ(rings.size(), 6u);
  const auto count = crossings(routes, rings);
  EXPECT_EQ(count.size(), 12u);
  for (const auto& [link, times] : count) EXPECT_EQ(times, 2);
}

TEST(DisjointRings, AreAsManyAsTwoMembersHaveLanes) {
  EXPECT_EQ(disjoint_rings(MeshRoutes({{0, 1, 3}}, 2), 2).size(), 3u);
  EXPECT_EQ(disjoint_rings(MeshRoutes(all_to_all(4, 2), 4), 2).size(), 2u);
}

TEST(DisjointRings, OfOneMemberIsItself) {
  EXPECT_EQ(disjoint_rings(MeshRoutes(all_to_all(4, 1), 4), 1), (std::vector<std::vector<int>>{{0}}));
}

TEST(DisjointRings, RelayWhereTheMembersHaveNoCycle) {
  // A star: every way between the leaves leads over the hub.
  const MeshRoutes routes({{0, 1, 1}, {0, 2, 1}, {0, 3, 1}}, 4);
  const auto rings = disjoint_rings(routes, 4);
  expect_each_member_once(rings, 4);
  EXPECT_LE(worst_load(routes, rings), 1);
}

TEST(DisjointRings, EndOnMeshesTooLargeToSearchThrough) {
  const MeshRoutes routes(all_to_all(16, 1), 16);
  const auto rings = disjoint_rings(routes, 16);
  expect_each_member_once(rings, 16);
  EXPECT_GE(rings.size(), 2u);
  EXPECT_LE(worst_load(routes, rings), 2);
  EXPECT_EQ(rings, disjoint_rings(routes, 16)) << "not the same twice";
}

TEST(DisjointRings, VisitEachMemberOnceWithoutOverloadOnRandomMeshes) {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    std::mt19937 random(seed);
    const int devices = 2 + static_cast<int>(random() % 7);
    std::vector<MeshEdge> mesh;
    std::set<std::pair<int, int>> joined;
    const auto join = [&](int a, int b) {
      if (a != b && joined.insert(std::minmax(a, b)).second) mesh.push_back({a, b, 1 + static_cast<int>(random() % 3)});
    };
    for (int i = 1; i < devices; ++i) join(i, static_cast<int>(random() % static_cast<unsigned>(i)));
    for (int i = 0; i < 2 * devices; ++i)
      join(static_cast<int>(random() % static_cast<unsigned>(devices)),
           static_cast<int>(random() % static_cast<unsigned>(devices)));
    const MeshRoutes routes(mesh, devices);
    for (int a = 0; a < devices; ++a)
      for (int b = 0; b < devices; ++b) ASSERT_GE(hops(routes, a, b), 0) << "seed " << seed;
    for (int members = 2; members <= devices; ++members) {
      SCOPED_TRACE("seed " + std::to_string(seed) + " members " + std::to_string(members));
      const auto rings = disjoint_rings(routes, members);
      ASSERT_NO_FATAL_FAILURE(expect_each_member_once(rings, members));
      const double load = worst_load(routes, rings);
      const bool whole_lanes = load <= 1, half_lanes = load == 2 && rings.size() > 2, one_relayed = rings.size() == 1;
      EXPECT_TRUE(whole_lanes || half_lanes || one_relayed) << load << " with " << rings.size() << " rings";
    }
  }
}

}  // namespace
}  // namespace dtbench
