// This machine as a topology: devices are groups of cores that meet in shared memory.
#pragma once

#include "topologies/host_probe.h"
#include "topologies/topology.h"

namespace dtbench {

/// cores / threads_per_device devices. What no data sheet tells of this machine stays 0 or absent (peak FLOP/s, memory
/// bandwidth): a calibration of the host holds absolute rates. The shared-memory bandwidth is a round reference that
/// its `efficiency` refers to.
Topology host_topology(const HostFacts& facts, int threads_per_device);

}  // namespace dtbench
