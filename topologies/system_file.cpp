#include "topologies/system_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "topologies/base/suggest.h"
#include "topologies/topology_json.h"

namespace dtbench {

bool SystemFile::is_called(std::string_view wanted) const {
  const std::string folded = fold_name(wanted);
  return fold_name(name) == folded || std::any_of(aliases.begin(), aliases.end(),
                                                  [&](const std::string& alias) { return fold_name(alias) == folded; });
}

bool SystemFile::accepts(const DeviceFile& file) const {
  if (file.default_system == name) return true;
  return std::any_of(devices.begin(), devices.end(),
                     [&](const std::string& entry) { return entry == file.device.name || entry == file.form_factor; });
}

namespace {

// Two bridged cards need nothing else.
Tier pair_tier(const Bridge& bridge, const std::map<std::string, std::string>& sources) {
  Tier tier{bridge.name, bridge.link_class, Wiring::all_to_all, bridge.bandwidth, bridge.latency_seconds, {}, {}, 0,
            {}};
  for (const char* field : {"bandwidth_bytes_per_second", "latency_seconds"})
    if (const auto source = sources.find(fmt::format("bridge/{}", field)); source != sources.end())
      tier.sources[field] = source->second;
  return tier;
}

}  // namespace

Tier SystemFile::tier_for(const DeviceFile& file, int devices_per_node) const {
  if (bridged_pairs && !file.bridge)
    throw_bad_input({fmt::format("system '{}'", name), fmt::format("{} takes no NVLink bridge", file.device.name),
                     "a card with a bridge", fmt::format("{} stands in '{}'", file.device.name, file.default_system)});
  if (bridged_pairs && devices_per_node <= 2) return pair_tier(*file.bridge, file.device.sources);
  const auto by_interface = std::find_if(within_node.begin(), within_node.end(),
                                         [&](const Tier& tier) { return tier.link_class == file.host_interface; });
  if (within_node.size() > 1 && by_interface == within_node.end())
    throw_bad_input({fmt::format("system '{}'", name), fmt::format("no wiring for {}", file.host_interface), "", ""});
  Tier tier = within_node.size() > 1 ? *by_interface : within_node.front();
  const auto beyond = [&](const MeshEdge& edge) { return std::max(edge.a, edge.b) >= devices_per_node; };
  tier.mesh.erase(std::remove_if(tier.mesh.begin(), tier.mesh.end(), beyond), tier.mesh.end());
  if (devices_per_node <= std::max(single_socket_up_to, 1)) tier.pcie.sockets = 1;
  if (tier.pcie.sockets == 1) tier.pcie.socket_bandwidth = 0;
  tier.pcie.peer_to_peer = tier.pcie.peer_to_peer && (file.peer_to_peer || grants_peer_to_peer);
  if (bridged_pairs) tier.pcie.bridge_bandwidth = file.bridge->bandwidth;
  return tier;
}

SystemFile read_system_file(const std::string& path) {
  const Json json = load_json_file(path);
  JsonReader reader(json, path);
  reader.choice("schema", {"dtbench.system/1"});
  SystemFile system;
  system.name = reader.string("name");
  system.description = reader.string("description");
  if (reader.has("aliases")) system.aliases = reader.strings("aliases");
  system.devices = reader.strings("devices");
  system.max_devices_per_node =
      static_cast<int>(std::min<std::int64_t>(reader.integer("max_devices_per_node", 1), kMaxDevicesPerNode));
  system.single_socket_up_to =
      static_cast<int>(std::min<std::int64_t>(reader.integer_or("single_socket_up_to", 0, 0), kMaxDevicesPerNode));
  for (const JsonReader& tier : reader.objects("within_node")) system.within_node.push_back(read_tier(tier));
  if (system.within_node.empty()) reader.fail("within_node", "no tier", "at least one");
  system.between_nodes = read_tier(reader.object("between_nodes"));
  std::map<std::string, std::string> sources = reader.string_map("sources");
  if (reader.has("price_usd_per_device_hour")) {
    system.price_usd_per_device_hour = reader.positive("price_usd_per_device_hour");
    system.price_source = sources["price_usd_per_device_hour"];
  }
  system.bridged_pairs = reader.boolean_or("bridged_pairs", false);
  system.grants_peer_to_peer = reader.boolean_or("grants_peer_to_peer", false);
  reader.finish();
  return system;
}

}  // namespace dtbench
