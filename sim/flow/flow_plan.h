// The collectives of a plan as flows over links.
//
// A phase of a collective is a set of flows that start together, one for each unit of its footprint (a node's rings, a
// rail, a flat ring); it ends when all have. A flow crosses every link of its unit, a link that several edges share
// several times. All collectives of a group use the same flows, with their own bytes: the plan of a step with 50
// buckets has as many flows as one with a single bucket.
#pragma once

#include <vector>

#include "engine/plan/step_plan.h"
#include "sim/flow/flow_simulator.h"
#include "sim/flow/symmetry.h"
#include "topologies/calibration.h"
#include "topologies/topology.h"

namespace dtbench {

/// Flows that always start together.
struct FlowSet {
  int group = 0;
  Scope scope = Scope::flat;
  int rank_class = 0;      ///< that the first rank of their group instance belongs to
  int rings = 1;           ///< parallel rings: each edge of a ring carries bytes_per_edge / rings
  std::vector<int> flows;  ///< into FlowPlan::system
  bool operator==(const FlowSet&) const = default;
};

struct FlowPlan {
  FlowSystem system;
  std::vector<FlowSet> sets;
  bool operator==(const FlowPlan&) const = default;
};

/// The rank class of each rank.
std::vector<int> class_by_rank(const StepPlan& plan);

/// Where all nodes do the same, two of them stand for all, so that 65,536 devices cost what 16 cost; else every link is
/// listed. `options.reduce_symmetry` also merges what reduce_symmetry() finds alike; without it, every link is listed.
FlowPlan make_flow_plan(const StepPlan& plan, const Topology& topology, const Calibration& calibration,
                        const FlowOptions& options);

}  // namespace dtbench
