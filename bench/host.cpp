#include "bench/host.h"

#include <fmt/core.h>

#include <algorithm>

#include "bench/version.h"
#include "engine/plan/strategy.h"
#include "topologies/base/error.h"
#include "topologies/topology_library.h"

namespace dtbench {

int threads_per_replica(const RunSpec& spec, const HostFacts& facts) {
  if (spec.threads_per_replica) {
    if (*spec.threads_per_replica > facts.cores)
      throw_bad_input({"--threads-per-replica", std::to_string(*spec.threads_per_replica),
                       fmt::format("at most the {} core(s) of this host", facts.cores), ""});
    return *spec.threads_per_replica;
  }
  const int largest = spec.devices.empty() ? std::min(facts.cores, strategy(spec.strategy).max_replicas())
                                           : *std::max_element(spec.devices.begin(), spec.devices.end());
  return std::max(1, facts.cores / largest);
}

Topology resolve_topology(const RunSpec& spec, const HostProbe& probe) {
  const int threads = spec.topology == kHost ? threads_per_replica(spec, probe.facts()) : 1;
  return TopologyLibrary().resolve(spec.topology, probe, threads);
}

std::map<std::string, std::string> host_conditions(const HostFacts& facts, int threads) {
  return {{"cpu", facts.cpu_name},
          {"isa", facts.isa},
          {"cores", std::to_string(facts.cores)},
          {"threads_per_replica", std::to_string(threads)},
          {"onednn", kOneDnnVersion}};
}

std::vector<Finding> condition_findings(const Calibration& calibration,
                                        const std::map<std::string, std::string>& conditions) {
  std::string differing;
  for (const auto& [field, now] : conditions) {
    const auto made = calibration.conditions.find(field);
    const std::string then = made == calibration.conditions.end() ? "not recorded" : made->second;
    if (then != now) differing += fmt::format("{}{} {} (here {})", differing.empty() ? "" : ", ", field, then, now);
  }
  if (differing.empty()) return {};
  return {{"calibration-conditions",
           "warning",
           fmt::format("Calibration '{}' was made under other conditions: {}.", calibration.name, differing),
           {}}};
}

}  // namespace dtbench
