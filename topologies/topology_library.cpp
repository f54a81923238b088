#include "topologies/topology_library.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "topologies/base/suggest.h"
#include "topologies/device_file.h"
#include "topologies/host_topology.h"
#include "topologies/system_file.h"
#include "topologies/topology_spec.h"

namespace dtbench {

namespace {

namespace fs = std::filesystem;

bool holds_data(const fs::path& directory) {
  std::error_code ignored;
  return fs::is_directory(directory / "devices", ignored) && fs::is_directory(directory / "systems", ignored);
}

std::vector<std::string> json_stems(const fs::path& directory) {
  std::vector<std::string> stems;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(directory, error))
    if (entry.path().extension() == ".json") stems.push_back(entry.path().stem().string());
  if (error) throw_bad_input({directory.string(), fmt::format("cannot be read: {}", error.message()), "", ""});
  std::sort(stems.begin(), stems.end());
  return stems;
}

std::optional<std::string> same_name(const std::vector<std::string>& names, std::string_view wanted) {
  const std::string folded = fold_name(wanted);
  const auto it =
      std::find_if(names.begin(), names.end(), [&](const std::string& name) { return fold_name(name) == folded; });
  return it == names.end() ? std::nullopt : std::optional(*it);
}

// One spelling being resolved against the files of one directory.
class Resolution {
 public:
  Resolution(fs::path directory, const std::vector<std::string>& devices, const std::vector<std::string>& systems)
      : directory_(std::move(directory)), device_names_(devices), system_names_(systems) {}

  DeviceFile device(std::string_view name, const SystemFile* system) const;
  SystemFile system(std::string_view name) const;
  std::optional<SystemFile> find_system(std::string_view name) const;
  Topology topology(const TopologySpec& spec) const;

 private:
  DeviceFile device_file(const std::string& name) const {
    return read_device_file((directory_ / "devices" / (name + ".json")).string());
  }
  SystemFile system_file(const std::string& name) const {
    return read_system_file((directory_ / "systems" / (name + ".json")).string());
  }
  std::vector<DeviceFile> all_devices() const;
  [[noreturn]] void unknown_device(std::string_view name, const std::vector<DeviceFile>& devices) const;
  void check_device(const DeviceFile& device, const SystemFile& system) const;
  void check_count(const TopologySpec& spec, const SystemFile& system) const;

  fs::path directory_;
  const std::vector<std::string>& device_names_;
  const std::vector<std::string>& system_names_;
};

std::vector<DeviceFile> Resolution::all_devices() const {
  std::vector<DeviceFile> files;
  for (const std::string& name : device_names_) files.push_back(device_file(name));
  return files;
}

void Resolution::unknown_device(std::string_view name, const std::vector<DeviceFile>& devices) const {
  std::vector<std::string> candidates = {"host"};
  for (const DeviceFile& file : devices) {
    candidates.push_back(file.device.name);
    candidates.insert(candidates.end(), file.aliases.begin(), file.aliases.end());
  }
  std::string hint = did_you_mean(name, candidates);
  if (const auto system = find_system(name))
    hint = fmt::format("that is a system: write <count>x<device>@{}", system->name);
  throw_bad_input({fmt::format("device '{}'", name), "unknown", hint.empty() ? one_of(device_names_) : "", hint});
}

DeviceFile Resolution::device(std::string_view name, const SystemFile* system) const {
  if (const auto exact = same_name(device_names_, name)) return device_file(*exact);
  const std::vector<DeviceFile> files = all_devices();
  const DeviceFile* best = nullptr;
  // In a named system a family name means its first member that the system lists.
  if (system) {
    for (const std::string& entry : system->devices)
      for (const DeviceFile& file : files)
        if (!best && file.may_be_called(name) && (entry == file.device.name || entry == file.form_factor)) best = &file;
  }
  for (const DeviceFile& file : files)
    if (!best && file.is_called(name)) best = &file;
  if (!best) unknown_device(name, files);
  return *best;
}

std::optional<SystemFile> Resolution::find_system(std::string_view name) const {
  if (const auto exact = same_name(system_names_, name)) return system_file(*exact);
  for (const std::string& stem : system_names_)
    if (SystemFile file = system_file(stem); file.is_called(name)) return file;
  return std::nullopt;
}

SystemFile Resolution::system(std::string_view name) const {
  if (const auto found = find_system(name)) return *found;
  throw_bad_input(
      {fmt::format("system '{}'", name), "unknown", one_of(system_names_), did_you_mean(name, system_names_)});
}

void Resolution::check_device(const DeviceFile& device, const SystemFile& system) const {
  if (system.accepts(device)) return;
  throw_bad_input({fmt::format("system '{}'", system.name),
                   fmt::format("{} is not one of its devices", device.device.name), one_of(system.devices),
                   fmt::format("{} stands in '{}'", device.device.name, device.default_system)});
}

void Resolution::check_count(const TopologySpec& spec, const SystemFile& system) const {
  const int most = system.max_devices_per_node;
  if (spec.devices_per_node <= most) return;
  const std::string rest = fmt::format("{}x{}{}", most, spec.device, spec.system.empty() ? "" : "@" + spec.system);
  std::string hint = fmt::format("more devices are more nodes: <nodes>x{}", rest);
  if (!spec.nodes_given) {
    const int nodes = (spec.devices_per_node + most - 1) / most;
    hint = fmt::format("several nodes: {}x{} has {} devices", nodes, rest, nodes * most);
  }
  throw_bad_input({fmt::format("topology '{}x{}'", spec.devices_per_node, spec.device),
                   fmt::format("{} devices in one node of '{}'", spec.devices_per_node, system.name),
                   fmt::format("1..{}", most), hint});
}

std::string canonical_spelling(const Topology& topology) {
  const std::string nodes = topology.nodes > 1 ? fmt::format("{}x", topology.nodes) : "";
  return fmt::format("{}{}x{}@{}", nodes, topology.devices_per_node, topology.device.name, topology.system);
}

std::vector<std::string> assumptions(const TopologySpec& spec, const DeviceFile& device, const SystemFile& system) {
  std::vector<std::string> said;
  if (fold_name(spec.device) != fold_name(device.device.name))
    said.push_back(fmt::format("'{}' is taken as {}", spec.device, device.device.name));
  if (spec.system.empty()) said.push_back(fmt::format("system not named: {} ({})", system.name, system.description));
  if (spec.devices_per_node < system.max_devices_per_node && spec.nodes > 1)
    said.push_back(
        fmt::format("each node uses {} of up to {} devices", spec.devices_per_node, system.max_devices_per_node));
  if (spec.nodes > 1)
    said.push_back(fmt::format("fabric between nodes: {} x {} per node, rail-optimised, the default of {}",
                               system.between_nodes.nics_per_node, system.between_nodes.name, system.name));
  return said;
}

Topology Resolution::topology(const TopologySpec& spec) const {
  std::optional<SystemFile> named;
  if (!spec.system.empty()) named = system(spec.system);
  const DeviceFile file = device(spec.device, named ? &*named : nullptr);
  const SystemFile chosen = named ? *named : system(file.default_system);
  check_device(file, chosen);
  check_count(spec, chosen);

  Topology topology;
  topology.system = chosen.name;
  topology.nodes = spec.nodes;
  topology.devices_per_node = spec.devices_per_node;
  topology.device = file.device;
  if (chosen.price_usd_per_device_hour) {
    topology.device.price_usd_per_hour = chosen.price_usd_per_device_hour;
    topology.device.sources["price_usd_per_hour"] = chosen.price_source;
  }
  topology.within_node = chosen.tier_for(file, spec.devices_per_node);
  if (spec.nodes > 1) topology.between_nodes = chosen.between_nodes;
  topology.assumptions = assumptions(spec, file, chosen);
  topology.spec = canonical_spelling(topology);
  return topology;
}

}  // namespace

std::string data_directory() {
  if (const char* named = std::getenv("DTBENCH_DATA")) {
    if (holds_data(named)) return named;
    throw_bad_input({"$DTBENCH_DATA", fmt::format("'{}'", named), "a folder that holds devices/ and systems/", ""});
  }
  for (const char* directory : {DTBENCH_SOURCE_DATA, DTBENCH_INSTALLED_DATA})
    if (holds_data(directory)) return directory;
  throw_bad_input({"data files", fmt::format("neither in {} nor in {}", DTBENCH_SOURCE_DATA, DTBENCH_INSTALLED_DATA),
                   "", "set $DTBENCH_DATA to the folder that holds devices/ and systems/"});
}

TopologyLibrary::TopologyLibrary(std::string directory)
    : directory_(std::move(directory)),
      device_names_(json_stems(fs::path(directory_) / "devices")),
      system_names_(json_stems(fs::path(directory_) / "systems")) {}

std::vector<std::string> TopologyLibrary::device_names() const { return device_names_; }
std::vector<std::string> TopologyLibrary::system_names() const { return system_names_; }

DeviceSpec TopologyLibrary::device(std::string_view name) const {
  return Resolution(directory_, device_names_, system_names_).device(name, nullptr).device;
}

Topology TopologyLibrary::resolve(std::string_view spelling, const HostProbe& host, int threads_per_device) const {
  const TopologySpec spec = parse_topology_spec(spelling);
  if (spec.kind == TopologySpec::Kind::file) return topology_from_json_file(spec.path);
  if (spec.kind == TopologySpec::Kind::host) return host_topology(host.facts(), threads_per_device);
  return Resolution(directory_, device_names_, system_names_).topology(spec);
}

}  // namespace dtbench
