// Timed whole steps -> what ops and collectives timed one by one do not tell: overhead of a step, of a collective
// within a step (its thread must be woken), and what compute loses to communication beside it.
#pragma once

#include <vector>

#include "sim/model/calibration_fit.h"
#include "topologies/calibration.h"
#include "topologies/topology.h"

namespace dtbench {

/// Plays each step in closed form and sets step_overhead_seconds (from steps on one device), overlap_slowdown and the
/// launch_seconds of the links within a node (from steps on several) so that the steps come out best: least sum of
/// |ln(played / measured)|. Without steps of one sort, what they would tell is kept.
void fit_steps(const std::vector<StepSample>& samples, const Topology& topology, Calibration& calibration);

}  // namespace dtbench
