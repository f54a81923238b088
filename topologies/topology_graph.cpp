#include "topologies/topology_graph.h"

#include <fmt/core.h>

#include "topologies/base/error.h"
#include "topologies/node_wiring.h"

namespace dtbench {

namespace {

constexpr int kOut = 0, kIn = 1;

void append(std::vector<LinkUse>& path, const std::vector<LinkUse>& more, int first_link) {
  for (const LinkUse& use : more) path.push_back({first_link + use.link, use.times});
}

}  // namespace

TopologyGraph::TopologyGraph(const Topology& topology)
    : topology_(topology),
      wiring_(make_node_wiring(topology.within_node, topology.devices_per_node,
                               std::string(name_of(topology.device.kind)))) {
  DTBENCH_CHECK(topology.nodes == 1 || topology.between_nodes);
  const std::vector<Link> inner = wiring_->links();
  const int nics = topology.nodes > 1 ? topology.between_nodes->nics_per_node : 0;
  inner_links_ = static_cast<int>(inner.size());
  links_per_node_ = inner_links_ + 2 * nics;
  links_.reserve(static_cast<std::size_t>(topology.nodes) * static_cast<std::size_t>(links_per_node_));
  for (int node = 0; node < topology.nodes; ++node) {
    const std::string prefix = fmt::format("node{}/", node);
    for (const Link& link : inner) links_.push_back({prefix + link.name, link.bandwidth, false});
    for (int nic = 0; nic < nics; ++nic)
      for (const char* way : {"up", "down"})
        links_.push_back({fmt::format("{}nic{}/{}", prefix, nic, way), topology.between_nodes->bandwidth, true});
  }
}

LinkUse TopologyGraph::nic(int rank, int direction) const {
  const int node = rank / topology_.devices_per_node, device = rank % topology_.devices_per_node;
  const int nic = device * topology_.between_nodes->nics_per_node / topology_.devices_per_node;
  return {node * links_per_node_ + inner_links_ + 2 * nic + direction, 1};
}

std::vector<LinkUse> TopologyGraph::path(int from, int to) const {
  DTBENCH_CHECK(from != to && from >= 0 && to >= 0 && from < topology_.devices() && to < topology_.devices());
  const int per_node = topology_.devices_per_node;
  const int first_from = from / per_node * links_per_node_, first_to = to / per_node * links_per_node_;
  std::vector<LinkUse> path;
  if (from / per_node == to / per_node) {
    append(path, wiring_->path(from % per_node, to % per_node), first_from);
    return path;
  }
  append(path, wiring_->to_network(from % per_node), first_from);
  path.push_back(nic(from, kOut));
  path.push_back(nic(to, kIn));
  append(path, wiring_->from_network(to % per_node), first_to);
  return path;
}

std::vector<std::vector<int>> TopologyGraph::rings_within_node(int members) const {
  DTBENCH_CHECK(members >= 1 && members <= topology_.devices_per_node);
  return wiring_->rings(members);
}

}  // namespace dtbench
