#include "topologies/topology_json.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <utility>

namespace dtbench {

namespace {

constexpr const char* kTopologySchema = "dtbench.topology/1";

template <std::size_t N>
std::vector<std::string> words(const std::array<std::string_view, N>& names) {
  return {names.begin(), names.end()};
}

template <typename Enum, std::size_t N>
Enum enum_value(JsonReader& reader, const std::string& key, const std::array<std::string_view, N>& names) {
  const std::string name = reader.choice(key, words(names));
  return static_cast<Enum>(std::find(names.begin(), names.end(), name) - names.begin());
}

int count(JsonReader& reader, const std::string& key, int greatest) {
  const std::int64_t value = reader.integer(key, 1);
  if (value > greatest) reader.fail(key, fmt::format("{}", value), fmt::format("at most {}", greatest));
  return static_cast<int>(value);
}

std::optional<double> optional_number(JsonReader& reader, const std::string& key) {
  if (!reader.has(key)) return std::nullopt;
  return reader.positive(key);
}

std::map<Arithmetic, double> read_peaks(JsonReader reader) {
  std::map<Arithmetic, double> peaks;
  for (std::size_t i = 0; i < kArithmeticNames.size(); ++i)
    if (const auto rate = optional_number(reader, std::string(kArithmeticNames[i])))
      peaks[static_cast<Arithmetic>(i)] = *rate;
  reader.finish();
  return peaks;
}

// What a data sheet always tells of a GPU; of a CPU nobody knows it before calibration.
double rate(JsonReader& reader, const std::string& key, DeviceKind kind) {
  if (kind == DeviceKind::cpu && !reader.has(key)) return 0;
  return reader.positive(key);
}

std::map<std::string, std::string> read_sources(JsonReader& reader) {
  return reader.has("sources") ? reader.string_map("sources") : std::map<std::string, std::string>{};
}

MeshEdge read_edge(JsonReader reader) {
  MeshEdge edge;
  edge.a = static_cast<int>(std::min<std::int64_t>(reader.integer("a", 0), kMaxMeshDevices));
  edge.b = static_cast<int>(std::min<std::int64_t>(reader.integer("b", 0), kMaxMeshDevices));
  edge.lanes = reader.has("lanes") ? count(reader, "lanes", 1024) : 1;
  reader.finish();
  if (edge.a == edge.b) reader.fail("b", fmt::format("an edge from {} to itself", edge.a), "two different devices");
  return edge;
}

PcieTree read_pcie(JsonReader reader) {
  PcieTree tree;
  if (reader.has("devices_per_switch"))
    tree.devices_per_switch = count(reader, "devices_per_switch", kMaxDevicesPerNode);
  if (reader.has("sockets")) tree.sockets = count(reader, "sockets", 64);
  if (tree.sockets > 1 || reader.has("socket_bandwidth_bytes_per_second"))
    tree.socket_bandwidth = reader.positive("socket_bandwidth_bytes_per_second");
  tree.peer_to_peer = reader.boolean_or("peer_to_peer", true);
  if (!tree.peer_to_peer || reader.has("staging_bandwidth_bytes_per_second"))
    tree.staging_bandwidth = reader.positive("staging_bandwidth_bytes_per_second");
  if (reader.has("bridge_bandwidth_bytes_per_second"))
    tree.bridge_bandwidth = reader.positive("bridge_bandwidth_bytes_per_second");
  reader.finish();
  return tree;
}

void check_mesh(const JsonReader& reader, const std::vector<MeshEdge>& mesh, int devices) {
  std::vector<int> island(static_cast<std::size_t>(devices));
  std::iota(island.begin(), island.end(), 0);
  std::set<std::pair<int, int>> seen;
  for (std::size_t i = 0; i < mesh.size(); ++i) {
    const std::string place = fmt::format("{}/{}", reader.where("mesh"), i);
    const auto [a, b] = std::minmax(mesh[i].a, mesh[i].b);
    if (b >= devices)
      throw_bad_input({place, fmt::format("device {}", b), fmt::format("devices 0..{} of the node", devices - 1), ""});
    if (!seen.insert({a, b}).second)
      throw_bad_input(
          {place, fmt::format("the edge {}-{} again", a, b), "each pair once, with its number of lanes", ""});
    const int from = island[static_cast<std::size_t>(b)], to = island[static_cast<std::size_t>(a)];
    std::replace(island.begin(), island.end(), from, to);
  }
  const auto stranded = std::find_if(island.begin(), island.end(), [&](int mark) { return mark != island.front(); });
  if (stranded != island.end())
    reader.fail("mesh", fmt::format("no way from device 0 to device {}", stranded - island.begin()),
                "a connected mesh");
}

Tier read_within_node(JsonReader& reader, int devices) {
  const JsonReader place = reader.object("within_node");
  Tier tier = read_tier(place);
  if (tier.wiring == Wiring::rails) place.fail("wiring", "'rails'", "a wiring of the devices of one node");
  if (tier.wiring == Wiring::mesh && devices > kMaxMeshDevices)
    place.fail("mesh", fmt::format("{} devices", devices),
               fmt::format("at most {} devices in a mesh", kMaxMeshDevices));
  if (tier.wiring == Wiring::mesh) check_mesh(place, tier.mesh, devices);
  return tier;
}

Tier read_between_nodes(JsonReader& reader) {
  const JsonReader place = reader.object("between_nodes");
  Tier tier = read_tier(place);
  if (tier.wiring != Wiring::rails) place.fail("wiring", fmt::format("'{}'", name_of(tier.wiring)), "'rails'");
  return tier;
}

Json write_device(const DeviceSpec& device) {
  Json json = {{"name", device.name}, {"architecture", device.architecture}, {"kind", name_of(device.kind)}};
  json["peak_flops"] = Json::object();
  for (const auto& [arithmetic, peak] : device.peak_flops) json["peak_flops"][std::string(name_of(arithmetic))] = peak;
  json["memory_bytes"] = device.memory_bytes;
  if (device.memory_bandwidth > 0) json["memory_bandwidth_bytes_per_second"] = device.memory_bandwidth;
  if (device.host_bandwidth > 0) json["host_bandwidth_bytes_per_second"] = device.host_bandwidth;
  json["launch_seconds"] = device.launch_seconds;
  if (device.power_watts) json["power_watts"] = *device.power_watts;
  if (device.price_usd_per_hour) json["price_usd_per_hour"] = *device.price_usd_per_hour;
  json["sources"] = Json(device.sources);
  return json;
}

Json write_pcie(const PcieTree& tree) {
  Json json = {{"devices_per_switch", tree.devices_per_switch}, {"sockets", tree.sockets}};
  if (tree.socket_bandwidth > 0) json["socket_bandwidth_bytes_per_second"] = tree.socket_bandwidth;
  if (tree.staging_bandwidth > 0) json["staging_bandwidth_bytes_per_second"] = tree.staging_bandwidth;
  if (tree.bridge_bandwidth > 0) json["bridge_bandwidth_bytes_per_second"] = tree.bridge_bandwidth;
  json["peer_to_peer"] = tree.peer_to_peer;
  return json;
}

Json write_tier(const Tier& tier) {
  Json json = {{"name", tier.name},
               {"link_class", tier.link_class},
               {"wiring", name_of(tier.wiring)},
               {"bandwidth_bytes_per_second", tier.bandwidth},
               {"latency_seconds", tier.latency_seconds}};
  if (tier.wiring == Wiring::mesh) {
    json["mesh"] = Json::array();
    for (const MeshEdge& edge : tier.mesh)
      json["mesh"].push_back({{"a", edge.a}, {"b", edge.b}, {"lanes", edge.lanes}});
  }
  if (tier.wiring == Wiring::pcie_tree) json["pcie"] = write_pcie(tier.pcie);
  if (tier.wiring == Wiring::rails) json["nics_per_node"] = tier.nics_per_node;
  json["sources"] = Json(tier.sources);
  return json;
}

}  // namespace

DeviceSpec read_device(JsonReader& reader) {
  DeviceSpec device;
  device.name = reader.string("name");
  device.architecture = reader.string("architecture");
  device.kind = enum_value<DeviceKind>(reader, "kind", kDeviceKindNames);
  device.peak_flops = read_peaks(reader.object("peak_flops"));
  if (device.peak_flops.empty() && device.kind != DeviceKind::cpu)
    reader.fail("peak_flops", "no rate", "FLOP/s of at least one arithmetic");
  device.memory_bytes = reader.positive("memory_bytes");
  if (device.memory_bytes < 1) reader.fail("memory_bytes", fmt::format("{}", device.memory_bytes), "at least 1 byte");
  device.memory_bandwidth = rate(reader, "memory_bandwidth_bytes_per_second", device.kind);
  device.host_bandwidth = rate(reader, "host_bandwidth_bytes_per_second", device.kind);
  device.launch_seconds = reader.number_or("launch_seconds", 0);
  if (device.launch_seconds < 0)
    reader.fail("launch_seconds", fmt::format("{}", device.launch_seconds), "a number of at least 0");
  device.power_watts = optional_number(reader, "power_watts");
  device.price_usd_per_hour = optional_number(reader, "price_usd_per_hour");
  device.sources = read_sources(reader);
  return device;
}

Tier read_tier(JsonReader reader) {
  Tier tier;
  tier.name = reader.string("name");
  tier.link_class = reader.string("link_class");
  tier.wiring = enum_value<Wiring>(reader, "wiring", kWiringNames);
  tier.bandwidth = reader.positive("bandwidth_bytes_per_second");
  tier.latency_seconds = reader.number("latency_seconds");
  if (tier.latency_seconds < 0)
    reader.fail("latency_seconds", fmt::format("{}", tier.latency_seconds), "a number of at least 0");
  if (tier.wiring == Wiring::mesh)
    for (JsonReader& edge : reader.objects("mesh")) tier.mesh.push_back(read_edge(edge));
  if (tier.wiring == Wiring::pcie_tree && reader.has("pcie")) tier.pcie = read_pcie(reader.object("pcie"));
  if (tier.wiring == Wiring::rails) tier.nics_per_node = count(reader, "nics_per_node", kMaxDevicesPerNode);
  tier.sources = read_sources(reader);
  reader.finish();
  return tier;
}

Topology topology_from_json(JsonReader reader) {
  reader.choice("schema", {kTopologySchema});
  Topology topology;
  topology.spec = reader.string("spec");
  topology.system = reader.string("system");
  topology.nodes = count(reader, "nodes", kMaxDevices);
  topology.devices_per_node = count(reader, "devices_per_node", kMaxDevicesPerNode);
  if (std::int64_t{topology.nodes} * topology.devices_per_node > kMaxDevices)
    reader.fail("nodes", fmt::format("{} x {} devices", topology.nodes, topology.devices_per_node),
                fmt::format("at most {} devices", kMaxDevices));
  JsonReader device = reader.object("device");
  topology.device = read_device(device);
  device.finish();
  topology.within_node = read_within_node(reader, topology.devices_per_node);
  if (topology.nodes > 1) topology.between_nodes = read_between_nodes(reader);
  if (reader.has("assumptions")) topology.assumptions = reader.strings("assumptions");
  if (topology.nodes == 1 && reader.has("between_nodes"))
    reader.fail("between_nodes", "a network", "none on one node", "set nodes, or leave it out");
  reader.finish();
  return topology;
}

Topology topology_from_json_file(const std::string& path) {
  const Json json = load_json_file(path);
  return topology_from_json(JsonReader(json, path));
}

std::string topology_to_json_text(const Topology& topology) {
  Json json = {{"schema", kTopologySchema},
               {"spec", topology.spec},
               {"system", topology.system},
               {"nodes", topology.nodes},
               {"devices_per_node", topology.devices_per_node},
               {"device", write_device(topology.device)},
               {"within_node", write_tier(topology.within_node)}};
  if (topology.between_nodes) json["between_nodes"] = write_tier(*topology.between_nodes);
  json["assumptions"] = topology.assumptions;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace dtbench
