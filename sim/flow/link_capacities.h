// What the links of a machine really carry: nominal bandwidth times the efficiency of their class, less what is broken.
#pragma once

#include <vector>

#include "sim/flow/flow_simulator.h"
#include "topologies/calibration.h"
#include "topologies/topology.h"
#include "topologies/topology_graph.h"

namespace dtbench {

/// Bytes/s by link of the graph. A degraded link that the graph does not have is a bad-input error with the nearest
/// name.
std::vector<double> link_capacities(const TopologyGraph& graph, const Topology& topology,
                                    const Calibration& calibration, const std::vector<DegradedLink>& degraded);

}  // namespace dtbench
