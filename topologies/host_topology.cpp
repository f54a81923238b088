#include "topologies/host_topology.h"

#include <fmt/core.h>

#include "topologies/base/error.h"

namespace dtbench {

namespace {

constexpr double kReferenceBandwidth = 10e9;
constexpr double kReferenceLatency = 1e-6;

DeviceSpec host_device(const HostFacts& facts, int devices) {
  DeviceSpec device;
  device.name = "host";
  device.architecture = facts.isa;
  device.kind = DeviceKind::cpu;
  device.memory_bytes = facts.memory_bytes / devices;
  device.sources["memory_bytes"] = fmt::format("asked of this machine, divided by {} devices", devices);
  return device;
}

Tier shared_memory_tier() {
  Tier tier;
  tier.name = "shared memory";
  tier.link_class = "shared-memory";
  tier.wiring = Wiring::shared_memory;
  tier.bandwidth = kReferenceBandwidth;
  tier.latency_seconds = kReferenceLatency;
  for (const char* field : {"bandwidth_bytes_per_second", "latency_seconds"})
    tier.sources[field] = "assumed: a reference that the calibration of this host refers to";
  return tier;
}

}  // namespace

Topology host_topology(const HostFacts& facts, int threads_per_device) {
  if (threads_per_device < 1 || threads_per_device > facts.cores)
    throw_bad_input({"topology 'host'", fmt::format("{} threads per device", threads_per_device),
                     fmt::format("1..{}, the cores this process may use", facts.cores), ""});
  Topology topology;
  topology.spec = topology.system = "host";
  topology.devices_per_node = facts.cores / threads_per_device;
  topology.device = host_device(facts, topology.devices_per_node);
  topology.within_node = shared_memory_tier();
  topology.assumptions.push_back(
      fmt::format("a device is {} of the {} usable cores of {}", threads_per_device, facts.cores, facts.cpu_name));
  if (const int idle = facts.cores % threads_per_device; idle > 0)
    topology.assumptions.push_back(fmt::format("{} cores are left over", idle));
  return topology;
}

}  // namespace dtbench
