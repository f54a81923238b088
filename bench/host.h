// This host as a machine: how its cores are dealt to replicas, and under which conditions its calibration holds.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/plan/run_spec.h"
#include "reports/run_result.h"
#include "topologies/calibration.h"
#include "topologies/host_probe.h"
#include "topologies/topology.h"

namespace dtbench {

inline constexpr const char* kHost = "host";

/// Cores of one replica: --threads-per-replica, else cores / (largest replica count asked, or as many as the strategy
/// can use), at least 1; the same at every count, so that 1 -> 2 is scaling.
int threads_per_replica(const RunSpec& spec, const HostFacts& facts);

/// The topology of the request; a device of `host` is `threads_per_replica` cores.
Topology resolve_topology(const RunSpec& spec, const HostProbe& probe);

/// FLOP/s that no core reaches (two 512-bit units at 6 GHz): for "takes at least" before anything was measured.
inline constexpr double kCoreFlopsLimit = 2 * 32 * 6e9;

/// What must be the same for a host calibration to hold: cpu, isa, cores, threads_per_replica, onednn.
std::map<std::string, std::string> host_conditions(const HostFacts& facts, int threads);

/// A warning that names the fields in which the calibration's conditions differ from these; none when all agree.
std::vector<Finding> condition_findings(const Calibration& calibration,
                                        const std::map<std::string, std::string>& conditions);

}  // namespace dtbench
