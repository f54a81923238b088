// What of a request can be run on this host: its replica counts, and a batch that fits memory and time.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/study.h"
#include "topologies/host_probe.h"

namespace dtbench {

/// What of the request can run here. Either `planned` holds points or `reason` says why there is none.
struct HostWork {
  RunSpec spec;  ///< topology host, its device counts and threads
  Topology topology;
  int threads_per_replica = 1;
  std::vector<PlannedPoint> planned;
  std::string asked_batch;  ///< "batch per replica 256"
  std::string reduced;      ///< what was made smaller, and why; "" when nothing was
  std::string reason;
};

/// Why the work cannot be done as it is, or "".
using Obstacle = std::function<std::string(const HostWork& work)>;

/// Halves the batch until there is no obstacle, and says so in `reduced`; when it cannot be halved any more, `planned`
/// becomes empty and `reason` holds the first obstacle.
void shrink_until_possible(HostWork& work, const Obstacle& obstacle);

/// Plans the request at the replica counts that this host has cores for; a batch that needs more than 80 % of the free
/// memory, or whose measurement takes longer than `seconds` at any conceivable speed, is halved until it fits.
HostWork plan_host_work(const RunSpec& asked, const HostProbe& probe, double seconds);

}  // namespace dtbench
