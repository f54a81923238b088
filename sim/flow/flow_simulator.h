// The step played on SimGrid: each collective phase a flow over all its links, shared max-min with whatever runs beside
// it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/plan/step_runner.h"
#include "topologies/calibration.h"
#include "topologies/topology.h"

namespace dtbench {

/// A link that carries `factor` times what its equals carry.
struct DegradedLink {
  std::string link;  ///< name in TopologyGraph::links()
  double factor = 1;
  bool operator==(const DegradedLink&) const = default;
};

/// Plans with more ranks cannot be played message by message: time and memory grow with the square.
inline constexpr int kMaxMessageLevelRanks = 256;
/// Bad-input error beyond the limit.
void require_message_level(int ranks);

struct FlowOptions {
  bool message_level = false;   ///< one task per message of the schedule: the reference, <= kMaxMessageLevelRanks
  bool reduce_symmetry = true;  ///< colour refinement first (exact); off only to test that it is
  std::vector<DegradedLink> degraded;
  double time_limit_seconds = 120;  ///< wall time of one run, then an Error
};

/// Each run plays in a forked child, so that a failed assertion of the library is an error here and not an abort.
/// Returns one trace, whatever `steps` is. Bad-input errors: more ranks than the machine has devices, too many ranks
/// for the message level, an unknown degraded link.
std::unique_ptr<StepRunner> make_flow_simulator(const Topology& topology, const Calibration& calibration,
                                                FlowOptions options = {});

}  // namespace dtbench
