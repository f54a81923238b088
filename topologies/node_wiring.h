// The links inside one node, as its tier is wired. Devices are numbered 0..devices-1; a link's index is its place in
// `links()`. A new wiring is one class here and one row in make_node_wiring.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "topologies/topology_graph.h"

namespace dtbench {

class NodeWiring {
 public:
  virtual ~NodeWiring() = default;
  /// Named without the node: "gpu5/up".
  virtual std::vector<Link> links() const = 0;
  virtual std::vector<LinkUse> path(int from, int to) const = 0;
  /// What data crosses between a device and the node's NIC, on its way out and in.
  virtual std::vector<LinkUse> to_network(int /*device*/) const { return {}; }
  virtual std::vector<LinkUse> from_network(int /*device*/) const { return {}; }
  /// See TopologyGraph::rings_within_node.
  virtual std::vector<std::vector<int>> rings(int members) const;
};

/// `device_word` names the devices in links: "gpu".
std::unique_ptr<const NodeWiring> make_node_wiring(const Tier& tier, int devices, const std::string& device_word);

}  // namespace dtbench
