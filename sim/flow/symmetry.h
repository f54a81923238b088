// Exact reduction of flows and links by colour refinement: what is alike is simulated once.
//
// Flows that start together with equal bytes and links of equal capacity get equal colours, which are refined by the
// colours of what they cross or are crossed by until nothing changes. Max-min shares are unique, hence equal for all of
// one colour, so that one flow and one link of each colour give the same times. A link that m flows of a colour cross
// is crossed m times by the one that remains. Cost linear in the number of crossings (times the rounds, 3 or 4).
// Colours are 64-bit hashes: two different ones fall together with a probability of about 1e-7 for a million flows and
// links.
#pragma once

#include <vector>

#include "topologies/topology_graph.h"

namespace dtbench {

/// What the flows of a plan look like to the solver.
struct FlowSystem {
  struct Flow {
    /// Flows with the same number always start at the same time, with the same number of bytes.
    int together = 0;
    std::vector<LinkUse> links;  ///< each link once
    bool operator==(const Flow&) const = default;
  };
  std::vector<double> capacities;  ///< of the links, bytes/s
  std::vector<Flow> flows;
  bool operator==(const FlowSystem&) const = default;
};

struct ReducedFlows {
  FlowSystem system;
  std::vector<int> flow_of;  ///< flow of the full system -> the one that stands for it
};

ReducedFlows reduce_symmetry(const FlowSystem& full);

}  // namespace dtbench
