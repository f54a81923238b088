#include "reports/machine_text.h"

#include <fmt/core.h>

#include "engine/plan/precision.h"
#include "topologies/base/units.h"

namespace dtbench {

namespace {

// What `Tier::bandwidth` counts, by wiring.
std::string tier_text(const Tier& tier) {
  const std::string rate = format_rate(tier.bandwidth);
  switch (tier.wiring) {
    case Wiring::all_to_all:
    case Wiring::pcie_tree:
      return fmt::format("{}, {} per device and direction", tier.name, rate);
    case Wiring::mesh:
      return fmt::format("{}, {} per lane and direction", tier.name, rate);
    case Wiring::rails:
      return fmt::format("{}, {} x {} per node and direction", tier.name, tier.nics_per_node, rate);
    case Wiring::shared_memory:
      break;  // its bandwidth is a reference that the host's calibration refers to, not a property of the machine
  }
  return tier.name;
}

}  // namespace

std::optional<double> peak_flops(const DeviceSpec& device, const std::string& precision) {
  const auto peak = device.peak_flops.find(precision_policy(precision).matrix);
  return peak != device.peak_flops.end() && peak->second > 0 ? std::optional(peak->second) : std::nullopt;
}

std::string count_text(const Topology& topology, int devices) {
  if (topology.device.kind == DeviceKind::cpu)
    return fmt::format("{} {} on this host", devices, devices == 1 ? "replica" : "replicas");
  return fmt::format("{} x {}", devices, topology.device.name);
}

std::string devices_text(const Topology& topology, const std::string& precision) {
  const DeviceSpec& device = topology.device;
  const std::string nodes = topology.nodes > 1 ? fmt::format("{} nodes x ", topology.nodes) : "";
  std::string text = nodes + count_text(topology, topology.devices_per_node);
  std::vector<std::string> facts;
  if (const auto peak = peak_flops(device, precision))
    facts.push_back(fmt::format("{}FLOP/s {}", format_count(*peak), name_of(precision_policy(precision).matrix)));
  if (device.memory_bytes > 0) facts.push_back(format_bytes(device.memory_bytes));
  if (device.memory_bandwidth > 0) facts.push_back(format_rate(device.memory_bandwidth));
  for (std::size_t i = 0; i < facts.size(); ++i) text += (i == 0 ? " (" : ", ") + facts[i];
  return facts.empty() ? text : text + " each)";
}

std::string links_text(const Topology& topology) {
  std::string text = topology.devices_per_node > 1 ? tier_text(topology.within_node) : "";
  if (topology.between_nodes)
    text += fmt::format("{}between nodes {}", text.empty() ? "" : "; ", tier_text(*topology.between_nodes));
  return text;
}

std::string link_name(const Topology& topology, const std::string& link_class) {
  if (topology.between_nodes && topology.between_nodes->link_class == link_class) return topology.between_nodes->name;
  return topology.within_node.link_class == link_class ? topology.within_node.name : link_class;
}

}  // namespace dtbench
