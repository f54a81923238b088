// dtbench topology list | show SPEC
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "bench/commands/command.h"
#include "engine/cpu/host_probe.h"
#include "topologies/base/units.h"
#include "topologies/topology_library.h"

namespace dtbench {

namespace {

void print_names(const char* title, const std::vector<std::string>& names) {
  fmt::print("{}\n", title);
  for (const std::string& name : names) fmt::print("  {}\n", name);
}

int list_topologies() {
  const TopologyLibrary library;
  print_names("devices (8xA100, 4x8xV100@dgx1, ...)", library.device_names());
  print_names("systems", library.system_names());
  fmt::print("and: host, a path ending in .json\n");
  return 0;
}

void print_sources(const std::map<std::string, std::string>& sources) {
  for (const auto& [field, source] : sources) fmt::print("    {}: {}\n", field, source);
}

void print_tier(const char* where, const Tier& tier) {
  fmt::print("  {}: {} ({}, {}), {} one direction, {}\n", where, tier.name, tier.link_class, name_of(tier.wiring),
             format_rate(tier.bandwidth), format_seconds(tier.latency_seconds));
  if (!tier.mesh.empty()) {
    fmt::print("    edges:");
    for (const MeshEdge& edge : tier.mesh) fmt::print(" {}-{}x{}", edge.a, edge.b, edge.lanes);
    fmt::print("\n");
  }
  if (tier.nics_per_node > 0) fmt::print("    {} NICs per node\n", tier.nics_per_node);
  print_sources(tier.sources);
}

void print_device(const DeviceSpec& device) {
  fmt::print("  device: {} ({}, {})\n", device.name, name_of(device.kind), device.architecture);
  for (const auto& [arithmetic, flops] : device.peak_flops)
    fmt::print("    {} {:.4g} TFLOP/s dense\n", name_of(arithmetic), flops / kTera);
  fmt::print("    memory {}, {}; to the host {}; launch {}\n", format_bytes(device.memory_bytes),
             format_rate(device.memory_bandwidth), format_rate(device.host_bandwidth),
             format_seconds(device.launch_seconds));
  print_sources(device.sources);
}

int show(const std::string& spelling, bool json) {
  const Topology topology = TopologyLibrary().resolve(spelling, *make_host_probe());
  if (json) {
    fmt::print("{}", topology_to_json_text(topology));
    return 0;
  }
  fmt::print("{}\n  {} node(s) of {} device(s), {} in all; system {}\n", topology.spec, topology.nodes,
             topology.devices_per_node, topology.devices(), topology.system);
  print_device(topology.device);
  print_tier("within a node", topology.within_node);
  if (topology.between_nodes) print_tier("between nodes", *topology.between_nodes);
  for (const std::string& assumption : topology.assumptions) fmt::print("  assumed: {}\n", assumption);
  return 0;
}

}  // namespace

std::function<int()> declare_topology(CLI::App& app) {
  app.require_subcommand(1);
  app.add_subcommand("list", "names of devices and systems");
  CLI::App* show_app = app.add_subcommand("show", "devices, links, sources and assumptions of one machine");
  auto spelling = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  show_app->add_option("topology", *spelling, "e.g. 8xA100, 4x8xV100@dgx1, host, machine.json")->required();
  show_app->add_flag("--json", *json, "as a dtbench.topology/1 document");
  return [show_app, spelling, json] { return show_app->parsed() ? show(*spelling, *json) : list_topologies(); };
}

}  // namespace dtbench
