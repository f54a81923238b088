// Seconds of one operation on one machine under one calibration: the numbers that every fidelity starts from.
#pragma once

#include <vector>

#include "engine/collectives/schedule.h"
#include "engine/plan/step_plan.h"
#include "topologies/calibration.h"
#include "topologies/topology.h"

namespace dtbench {

/// Compute ops and host transfers, without overlap slowdown.
double op_seconds(const PlanOp& op, const Topology& topology, const Calibration& calibration);

/// One phase of a collective as both closed form and flow model see it.
struct PhaseCost {
  Phase phase;
  double delay_seconds = 0;  ///< launch (first phase only) + rounds * alpha
  double bytes_per_edge = 0;
  double edge_bandwidth = 0;  ///< effective bytes/s of the slowest ring edge, alone
};

/// Effective = nominal of the links on the edge's path, shared among the edges of the phase that cross them, times
/// efficiency.
std::vector<PhaseCost> collective_phases(const StepPlan& plan, const CollectiveCall& call, const Topology& topology,
                                         const Calibration& calibration);
double collective_seconds(const StepPlan& plan, const CollectiveCall& call, const Topology& topology,
                          const Calibration& calibration);

}  // namespace dtbench
