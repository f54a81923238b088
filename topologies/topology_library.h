// Names and files -> Topology, with "did you mean".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "topologies/host_probe.h"
#include "topologies/topology.h"
#include "topologies/topology_json.h"

namespace dtbench {

/// The JSON files under `topologies/` (devices/, systems/): looked for in $DTBENCH_DATA, then beside the source tree
/// that was built, then where `meson install` put them. Errors when none is there.
std::string data_directory();

class TopologyLibrary {
 public:
  /// Reads file names only (`devices/<name>.json`, `systems/<name>.json`); a file is read when it is asked for, so that
  /// start-up stays short.
  explicit TopologyLibrary(std::string directory = data_directory());

  /// Resolves a spelling (topology_spec.h). Device and system names match without case, spaces, hyphens; aliases
  /// such as "A100" resolve to the default variant, said in `assumptions`. `threads_per_device` matters for `host`
  /// only: a device of `host` is a group of so many cores.
  Topology resolve(std::string_view spelling, const HostProbe& host, int threads_per_device = 1) const;

  DeviceSpec device(std::string_view name) const;
  std::vector<std::string> device_names() const;
  std::vector<std::string> system_names() const;

 private:
  std::string directory_;
  std::vector<std::string> device_names_, system_names_;
};

}  // namespace dtbench
