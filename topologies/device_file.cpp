#include "topologies/device_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "topologies/base/suggest.h"
#include "topologies/topology_json.h"

namespace dtbench {

namespace {

bool lists(const std::vector<std::string>& names, std::string_view wanted) {
  const std::string folded = fold_name(wanted);
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) { return fold_name(name) == folded; });
}

Bridge read_bridge(JsonReader reader) {
  Bridge bridge;
  bridge.name = reader.string("name");
  bridge.link_class = reader.string("link_class");
  bridge.bandwidth = reader.positive("bandwidth_bytes_per_second");
  bridge.latency_seconds = reader.positive("latency_seconds");
  reader.finish();
  return bridge;
}

}  // namespace

bool DeviceFile::is_called(std::string_view name) const { return lists({device.name}, name) || lists(aliases, name); }
bool DeviceFile::may_be_called(std::string_view name) const { return is_called(name) || lists(families, name); }

DeviceFile read_device_file(const std::string& path) {
  const Json json = load_json_file(path);
  JsonReader reader(json, path);
  reader.choice("schema", {"dtbench.device/1"});
  DeviceFile file;
  file.device = read_device(reader);
  if (reader.has("aliases")) file.aliases = reader.strings("aliases");
  if (reader.has("families")) file.families = reader.strings("families");
  file.form_factor = reader.string("form_factor");
  file.host_interface = reader.string("host_interface");
  file.default_system = reader.string("default_system");
  file.peer_to_peer = reader.boolean_or("peer_to_peer", true);
  if (reader.has("bridge")) file.bridge = read_bridge(reader.object("bridge"));
  reader.string_or("notes", "");
  reader.finish();
  return file;
}

}  // namespace dtbench
