// The links of a machine and the paths over them: what the flow model shares out and the closed form takes the slowest
// of.
#pragma once

#include <memory>
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

class NodeWiring;

/// Ranks are numbered node by node: rank = node * devices_per_node + device. Device d of a node sends to other nodes
/// through NIC d * nics / devices_per_node; the switches between the NICs never block.
class TopologyGraph {
 public:
  explicit TopologyGraph(const Topology& topology);
  const std::vector<Link>& links() const { return links_; }
  /// Links crossed by data going from one rank to another, in order. from != to.
  std::vector<LinkUse> path(int from, int to) const;
  /// Orders in which a ring visits the first `members` devices of a node, each as good as the others and together using
  /// every link as often as the wiring allows: one ring for a switch, several directed rings for a mesh (3 x 2 on the
  /// DGX-1 cube mesh). A collective gives each ring an equal part of its bytes. Neighbours on a ring are joined by one
  /// lane; only where the members of a mesh have no cycle of their own is the one ring relayed (`path`).
  std::vector<std::vector<int>> rings_within_node(int members) const;

 private:
  LinkUse nic(int rank, int direction) const;

  Topology topology_;
  std::shared_ptr<const NodeWiring> wiring_;
  std::vector<Link> links_;
  int links_per_node_ = 0, inner_links_ = 0;  ///< of a node: all, and those before its NICs
};

}  // namespace dtbench
