// The links of a machine and the paths over them: what the flow model shares out and the closed form takes the slowest
// of.
#pragma once

#include <string>
#include <vector>

#include "topologies/topology.h"

namespace dtbench {

/// One direction of one cable, lane bundle, PCIe port or NIC.
struct Link {
  std::string name;      ///< "node3/gpu5/up"
  double bandwidth = 0;  ///< bytes/s, nominal
  bool between_nodes = false;
  bool operator==(const Link&) const = default;
};

/// A path crosses `link` `times` times (host-staged transfers cross a socket twice).
struct LinkUse {
  int link = 0;
  int times = 1;
  bool operator==(const LinkUse&) const = default;
};

/// Ranks are numbered node by node: rank = node * devices_per_node + device.
class TopologyGraph {
 public:
  explicit TopologyGraph(const Topology& topology);
  const std::vector<Link>& links() const { return links_; }
  /// Links crossed by data going from one rank to another, in order. from != to.
  std::vector<LinkUse> path(int from, int to) const;
  /// Orders in which a ring visits the first `members` devices of a node, each as good as the others and together using
  /// every link as often as the wiring allows: one ring for a switch, several directed rings for a mesh (3 x 2 on the
  /// DGX-1 cube mesh). A collective gives each ring an equal part of its bytes.
  std::vector<std::vector<int>> rings_within_node(int members) const;

 private:
  Topology topology_;
  std::vector<Link> links_;
};

}  // namespace dtbench
