#include "sim/model/phase_links.h"

#include <algorithm>
#include <map>

#include "topologies/base/error.h"

namespace dtbench {

namespace {

class Unit {
 public:
  explicit Unit(const TopologyGraph& graph) : graph_(graph) {}
  void add_edge(int from, int to) {
    if (from == to) return;
    for (const LinkUse& use : graph_.path(from, to)) times_[use.link] += use.times;
  }
  std::vector<LinkUse> uses() const {
    std::vector<LinkUse> uses;
    for (const auto& [link, times] : times_) uses.push_back({link, times});
    return uses;
  }

 private:
  const TopologyGraph& graph_;
  std::map<int, int> times_;
};

void add_ring(Unit& unit, const std::vector<int>& visits) {
  for (std::size_t i = 0; i < visits.size(); ++i) unit.add_edge(visits[i], visits[(i + 1) % visits.size()]);
}

}  // namespace

std::vector<int> group_ranks(const Group& group, int instance) {
  std::vector<int> ranks;
  ranks.reserve(static_cast<std::size_t>(group.members.count));
  for (int m = 0; m < group.members.count; ++m)
    ranks.push_back(group.members.first + instance * group.instance_stride + m * group.members.stride);
  return ranks;
}

Topology two_nodes(Topology topology) {
  topology.nodes = std::min(topology.nodes, 2);
  return topology;
}

GroupShape two_nodes(GroupShape shape) { return {std::min(shape.nodes, 2), shape.per_node}; }

std::vector<int> ranks_on_two_nodes(const Group& group, int instance, int devices_per_node) {
  const GroupShape shape = two_nodes(group.shape);
  std::vector<int> ranks;
  for (int node = 0; node < shape.nodes; ++node)
    for (int local = 0; local < shape.per_node; ++local) {
      const int member = node * shape.per_node + local;
      const int rank = group.members.first + instance * group.instance_stride + member * group.members.stride;
      ranks.push_back(node * devices_per_node + rank % devices_per_node);
    }
  return ranks;
}

std::vector<std::vector<int>> ring_orders(const TopologyGraph& graph, const std::vector<int>& ranks, GroupShape shape,
                                          int devices_per_node) {
  bool first_devices = true;
  std::vector<int> natural;
  for (int local = 0; local < shape.per_node; ++local) {
    first_devices = first_devices && ranks[static_cast<std::size_t>(local)] % devices_per_node == local;
    natural.push_back(local);
  }
  if (first_devices && shape.per_node > 1) return graph.rings_within_node(shape.per_node);
  return {natural};
}

PhaseFootprint phase_footprint(const TopologyGraph& graph, const std::vector<int>& ranks, GroupShape shape, Scope scope,
                               int devices_per_node) {
  DTBENCH_CHECK(int(ranks.size()) == shape.ranks());
  const auto member = [&](int node, int local) {
    return ranks[static_cast<std::size_t>(node * shape.per_node + local)];
  };
  PhaseFootprint footprint;
  if (scope == Scope::between_nodes) {
    for (int local = 0; local < shape.per_node; ++local) {
      std::vector<int> visits;
      for (int node = 0; node < shape.nodes; ++node) visits.push_back(member(node, local));
      Unit unit(graph);
      add_ring(unit, visits);
      footprint.units.push_back(unit.uses());
    }
    return footprint;
  }
  const std::vector<std::vector<int>> orders = ring_orders(graph, ranks, shape, devices_per_node);
  footprint.rings = int(orders.size());
  if (scope == Scope::within_node) {
    for (int node = 0; node < shape.nodes; ++node) {
      Unit unit(graph);
      for (const std::vector<int>& order : orders) {
        std::vector<int> visits;
        for (const int index : order) visits.push_back(member(node, index));
        add_ring(unit, visits);
      }
      footprint.units.push_back(unit.uses());
    }
    return footprint;
  }
  Unit unit(graph);
  for (const std::vector<int>& order : orders) {
    std::vector<int> visits;
    for (int node = 0; node < shape.nodes; ++node)
      for (const int index : order) visits.push_back(member(node, index));
    add_ring(unit, visits);
  }
  footprint.units.push_back(unit.uses());
  return footprint;
}

}  // namespace dtbench
