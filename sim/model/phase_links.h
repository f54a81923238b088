// Which links a phase of a collective loads, and how much: the one description that closed form and flow model share.
#pragma once

#include <vector>

#include "engine/collectives/schedule.h"
#include "engine/plan/step_plan.h"
#include "topologies/topology.h"
#include "topologies/topology_graph.h"

namespace dtbench {

/// The edges of the phase's rings, gathered by unit: what proceeds in step. One unit per node for within_node, one per
/// rail for between_nodes, one for flat. Each of `rings` parallel rings carries an equal part, so a link of capacity C
/// that a unit crosses `times` times lets every edge have at most rings * C / times.
struct PhaseFootprint {
  int rings = 1;
  std::vector<std::vector<LinkUse>> units;  ///< links of a unit, ascending, each once
};

/// Ranks of one instance of a group, in the order of its members (node by node).
std::vector<int> group_ranks(const Group& group, int instance);

/// All nodes are equal, and a ring over N nodes loads each NIC as a ring over two: two nodes stand for any number, so
/// that a machine of 65,536 devices costs what one of 16 does. The copy of the machine with at most two nodes, and the
/// shape and ranks of a group's first two nodes on it.
Topology two_nodes(Topology topology);
GroupShape two_nodes(GroupShape shape);
std::vector<int> ranks_on_two_nodes(const Group& group, int instance, int devices_per_node);

/// Orders in which the parallel rings of an instance visit the members of a node, as indices into the node's members.
std::vector<std::vector<int>> ring_orders(const TopologyGraph& graph, const std::vector<int>& ranks, GroupShape shape,
                                          int devices_per_node);

/// `ranks` lie on nodes as `shape` says. Within a node, and inside each node of a flat ring, edges follow
/// TopologyGraph::rings_within_node when the ranks are the node's first devices, else the order of the ranks.
PhaseFootprint phase_footprint(const TopologyGraph& graph, const std::vector<int>& ranks, GroupShape shape, Scope scope,
                               int devices_per_node);

}  // namespace dtbench
