// The machine this process runs on, asked through hwloc, and how its cores are dealt out to devices.
#pragma once

#include <memory>
#include <vector>

#include "topologies/host_probe.h"

namespace dtbench {

/// Respects the process's affinity mask, its cpuset and the CPU quota and memory limit of its control group. Cores come
/// in hwloc's order, so neighbours share caches.
std::unique_ptr<HostProbe> make_host_probe();

}  // namespace dtbench
