#include "topologies/topology_graph.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "tests/unit/topologies/fake_host_probe.h"
#include "topologies/system_file.h"
#include "topologies/topology_library.h"

namespace dtbench {
namespace {

using testing::ElementsAre;

Topology machine(const std::string& spelling) { return TopologyLibrary().resolve(spelling, FakeHostProbe(8)); }

// "node0/gpu1/up" of each link crossed, with "*2" where it is crossed twice.
std::vector<std::string> names(const TopologyGraph& graph, int from, int to) {
  std::vector<std::string> names;
  for (const LinkUse& use : graph.path(from, to))
    names.push_back(graph.links()[static_cast<std::size_t>(use.link)].name +
                    (use.times > 1 ? fmt::format("*{}", use.times) : ""));
  return names;
}

// Bytes per second that all rings together move past each member when nothing else runs.
double ring_bandwidth(const TopologyGraph& graph, int members) {
  const auto rings = graph.rings_within_node(members);
  std::map<int, int> crossings;
  for (const auto& ring : rings)
    for (std::size_t i = 0; i < ring.size(); ++i)
      for (const LinkUse& use : graph.path(ring[i], ring[(i + 1) % ring.size()])) crossings[use.link] += use.times;
  double slowest = std::numeric_limits<double>::infinity();
  for (const auto& [link, times] : crossings)
    slowest = std::min(slowest, graph.links()[static_cast<std::size_t>(link)].bandwidth / times);
  return slowest * static_cast<double>(rings.size());
}

TEST(TopologyGraph, CrossesTwoLinksThroughASwitch) {
  const TopologyGraph graph(machine("8xA100"));
  EXPECT_EQ(graph.links().size(), 16u);
  EXPECT_THAT(names(graph, 2, 5), ElementsAre("node0/gpu2/up", "node0/gpu5/down"));
  EXPECT_EQ(graph.links()[0].bandwidth, 300e9);
}

TEST(TopologyGraph, GoesOutByTheNicOfTheSenderAndInByThatOfTheReceiver) {
  const TopologyGraph graph(machine("3x8xA100"));
  EXPECT_THAT(names(graph, 2, 2 * 8 + 5), ElementsAre("node0/nic2/up", "node2/nic5/down"));
  EXPECT_TRUE(graph.links()[static_cast<std::size_t>(graph.path(0, 8).front().link)].between_nodes);
  EXPECT_FALSE(graph.links()[static_cast<std::size_t>(graph.path(0, 1).front().link)].between_nodes);
}

TEST(TopologyGraph, CrossesTheBridgeBetweenTheCardsOfAPair) {
  const TopologyGraph two(machine("2xRTX-8000@pcie-nvlink"));
  EXPECT_THAT(names(two, 0, 1), ElementsAre("node0/gpu0/up", "node0/gpu1/down"));
  EXPECT_EQ(two.links()[0].bandwidth, 50e9);
  const TopologyGraph five(machine("5xRTX-3090@pcie-nvlink"));
  EXPECT_THAT(names(five, 2, 3), ElementsAre("node0/bridge1/up"));
  EXPECT_THAT(names(five, 3, 2), ElementsAre("node0/bridge1/down"));
  EXPECT_THAT(names(five, 0, 2), ElementsAre("node0/gpu0/up", "node0/host-memory*2", "node0/gpu2/down"));
  EXPECT_THAT(names(five, 4, 3), testing::Contains("node0/gpu4/up"));
  // Half of the ring's hops leave the host's memory alone.
  const double bridged = ring_bandwidth(TopologyGraph(machine("4xRTX-3090@pcie-nvlink")), 4);
  EXPECT_DOUBLE_EQ(bridged, 2 * ring_bandwidth(TopologyGraph(machine("4xRTX-3090@pcie")), 4));
}

TEST(TopologyGraph, SharesNicsAmongNeighbours) {
  const TopologyGraph graph(machine("2x8xV100@dgx1"));  // 4 NICs
  EXPECT_THAT(names(graph, 0, 8), ElementsAre("node0/nic0/up", "node1/nic0/down"));
  EXPECT_THAT(names(graph, 1, 9), ElementsAre("node0/nic0/up", "node1/nic0/down"));
  EXPECT_THAT(names(graph, 7, 15), ElementsAre("node0/nic3/up", "node1/nic3/down"));
}

TEST(TopologyGraph, RelaysOverTheWidestNeighbourOfAMesh) {
  const TopologyGraph graph(machine("8xV100@dgx1"));
  EXPECT_THAT(names(graph, 0, 3), ElementsAre("node0/gpu0-gpu3"));
  EXPECT_THAT(names(graph, 3, 0), ElementsAre("node0/gpu3-gpu0"));
  EXPECT_EQ(graph.links()[static_cast<std::size_t>(graph.path(0, 3).front().link)].bandwidth, 50e9) << "two lanes";
  EXPECT_EQ(graph.links()[static_cast<std::size_t>(graph.path(0, 1).front().link)].bandwidth, 25e9) << "one lane";
  EXPECT_THAT(names(graph, 0, 7), ElementsAre("node0/gpu0-gpu4", "node0/gpu4-gpu7"));  // and not over 3-7, one lane
}

TEST(TopologyGraph, ClimbsThePcieTreeOnlyAsFarAsNeeded) {
  const TopologyGraph graph(machine("8xK80@gce-8xk80"));  // two dies a switch, two sockets
  EXPECT_THAT(names(graph, 0, 1), ElementsAre("node0/gpu0/up", "node0/gpu1/down"));
  EXPECT_THAT(names(graph, 0, 2),
              ElementsAre("node0/gpu0/up", "node0/switch0/up", "node0/switch1/down", "node0/gpu2/down"));
  EXPECT_THAT(names(graph, 7, 0), ElementsAre("node0/gpu7/up", "node0/switch3/up", "node0/socket1-socket0",
                                              "node0/switch0/down", "node0/gpu0/down"));
}

TEST(TopologyGraph, StagesThroughHostMemoryWithoutPeerToPeer) {
  const TopologyGraph graph(machine("2x8xRTX-4090"));
  EXPECT_THAT(names(graph, 0, 1), ElementsAre("node0/gpu0/up", "node0/host-memory*2", "node0/gpu1/down"));
  EXPECT_THAT(names(graph, 1, 4),
              ElementsAre("node0/gpu1/up", "node0/socket0-socket1", "node0/host-memory*2", "node0/gpu4/down"));
  EXPECT_THAT(names(graph, 0, 8), ElementsAre("node0/gpu0/up", "node0/host-memory*2", "node0/nic0/up",
                                              "node1/nic0/down", "node1/host-memory*2", "node1/gpu0/down"));
}

TEST(TopologyGraph, SharedHostMemoryMakesRingBandwidthFallAsOneOverN) {
  const double two = ring_bandwidth(TopologyGraph(machine("2xRTX-3090")), 2);
  EXPECT_DOUBLE_EQ(two, 62e9 / 4);
  for (const int devices : {3, 4, 6, 8, 16})
    EXPECT_DOUBLE_EQ(ring_bandwidth(TopologyGraph(machine(fmt::format("{}xRTX-3090", devices))), devices),
                     two * 2 / devices)
        << devices;
}

TEST(TopologyGraph, RingsReachTheLaneSumOfSwitchesAndMeshes) {
  const std::tuple<const char*, int, double> cases[] = {
      {"8xA100", 8, 300e9},
      {"8xA100", 2, 300e9},
      {"16xV100@dgx2", 16, 150e9},
      {"8xH100", 8, 450e9},
      {"8xV100@dgx1", 8, 150e9},
      {"8xV100@dgx1", 4, 100e9},
      {"4xV100@dgx1", 4, 100e9},
      {"8xV100@dgx1", 2, 25e9},
      {"8xV100@dgx1", 3, 50e9},
      {"8xV100-PCIE-16GB", 4, 15.75e9},
      // Measured with NCCL 2 on a DGX-1 with P100: 17.3, 34.6, 52.1 and 62.2 GB/s (Tartan, 1 GB all-reduce).
      {"8xP100", 2, 20e9},
      {"8xP100", 3, 40e9},
      {"8xP100", 4, 60e9},
      {"8xP100", 8, 80e9},
  };
  for (const auto& [spelling, members, bandwidth] : cases)
    EXPECT_DOUBLE_EQ(ring_bandwidth(TopologyGraph(machine(spelling)), members), bandwidth)
        << spelling << " " << members;
}

TEST(TopologyGraph, HasThreeRingsInBothDirectionsOnTheCubeMesh) {
  EXPECT_EQ(TopologyGraph(machine("8xV100@dgx1")).rings_within_node(8).size(), 6u);
  EXPECT_EQ(TopologyGraph(machine("8xP100")).rings_within_node(8).size(), 4u);
  EXPECT_EQ(TopologyGraph(machine("8xA100")).rings_within_node(8).size(), 1u);
}

// First and last link of a path, and that each link of a mesh starts where the one before ended.
void expect_path_joins(const TopologyGraph& graph, const Topology& topology, int from, int to) {
  const int per_node = topology.devices_per_node;
  const std::vector<std::string> way = names(graph, from, to);
  ASSERT_FALSE(way.empty());
  const std::string word(name_of(topology.device.kind));
  const std::string start = fmt::format("node{}/{}{}", from / per_node, word, from % per_node);
  const std::string end = fmt::format("{}{}", word, to % per_node);
  const bool across = from / per_node != to / per_node;
  if (across) {
    const auto out =
        std::find_if(way.begin(), way.end(), [](const std::string& n) { return n.find("/nic") != n.npos; });
    ASSERT_LT(out + 1, way.end());
    EXPECT_THAT(*out, testing::MatchesRegex(fmt::format("node{}/nic[0-9]+/up", from / per_node)));
    EXPECT_THAT(*(out + 1), testing::MatchesRegex(fmt::format("node{}/nic[0-9]+/down", to / per_node)));
  } else if (topology.within_node.wiring == Wiring::mesh) {
    std::string at = start;
    for (const std::string& link : way) {
      ASSERT_EQ(link.rfind(at + "-", 0), 0u) << link << " does not start at " << at;
      at = fmt::format("node{}/{}", from / per_node, link.substr(link.rfind('-') + 1));
    }
    EXPECT_EQ(at, fmt::format("node{}/{}", to / per_node, end));
  } else {
    EXPECT_EQ(way.front(), start + "/up");
    EXPECT_EQ(way.back(), fmt::format("node{}/{}/down", to / per_node, end));
  }
}

int most_in_a_node(const TopologyLibrary& library, const std::string& device) {
  const std::string home = library.resolve("1x" + device, FakeHostProbe()).system;
  return read_system_file(data_directory() + "/systems/" + home + ".json").max_devices_per_node;
}

TEST(TopologyGraph, HoldsItsPromisesOnEveryMachineOfTheLibrary) {
  const TopologyLibrary library;
  std::vector<std::string> spellings = {"host"};
  for (const std::string& device : library.device_names())
    for (const int count : {1, 2, 3, 5, 8})
      for (const int nodes : {1, 3})
        if (count <= most_in_a_node(library, device))
          spellings.push_back(fmt::format("{}x{}x{}", nodes, count, device));
  for (const std::string& spelling : spellings) {
    SCOPED_TRACE(spelling);
    const Topology topology = machine(spelling);
    const TopologyGraph graph(topology);
    std::set<std::string> seen;
    for (const Link& link : graph.links()) {
      EXPECT_TRUE(seen.insert(link.name).second) << link.name << " twice";
      EXPECT_GT(link.bandwidth, 0) << link.name;
      EXPECT_EQ(link.between_nodes, link.name.find("/nic") != std::string::npos);
    }
    for (int from = 0; from < topology.devices(); ++from)
      for (int to = 0; to < topology.devices(); ++to)
        if (from != to) {
          ASSERT_NO_FATAL_FAILURE(expect_path_joins(graph, topology, from, to)) << from << " " << to;
        }
    for (int members = 1; members <= topology.devices_per_node; ++members)
      for (std::vector<int> ring : graph.rings_within_node(members)) {
        std::sort(ring.begin(), ring.end());
        ASSERT_EQ(static_cast<int>(ring.size()), members);
        for (int i = 0; i < members; ++i) ASSERT_EQ(ring[static_cast<std::size_t>(i)], i);
      }
  }
}

TEST(TopologyGraph, CoversTensOfThousandsOfDevices) {
  const TopologyGraph graph(machine("8192x8xA100"));
  EXPECT_EQ(graph.links().size(), 8192u * 32u);
  EXPECT_THAT(names(graph, 0, 65535), ElementsAre("node0/nic0/up", "node8191/nic7/down"));
}

TEST(TopologyGraphDeathTest, RefusesRanksAndMembersThatAreNotThere) {
  const TopologyGraph graph(machine("2xA100"));
  EXPECT_DEATH(graph.path(0, 0), "from != to");
  EXPECT_DEATH(graph.path(0, 2), "to < topology_.devices");
  EXPECT_DEATH(graph.rings_within_node(3), "members");
}

}  // namespace
}  // namespace dtbench
