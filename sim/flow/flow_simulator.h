// The step played on SimGrid: each collective phase a flow over all its links, shared max-min with whatever runs beside
// it.
#pragma once

#include <memory>

#include "engine/plan/step_runner.h"
#include "topologies/calibration.h"
#include "topologies/topology.h"

namespace dtbench {

struct FlowOptions {
  bool message_level = false;   ///< one task per message of the schedule: the reference, <= 256 ranks
  bool reduce_symmetry = true;  ///< colour refinement first (exact); off only to test that it is
};

/// Each run plays in a forked child, so that a failed assertion of the library is an error here and not an abort.
std::unique_ptr<StepRunner> make_flow_simulator(const Topology& topology, const Calibration& calibration,
                                                FlowOptions options = {});

}  // namespace dtbench
