// devices/<name>.json (`dtbench.device/1`): one device and how people call it. A new device is one such file.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topologies/topology.h"

namespace dtbench {

/// A plug over the tops of two cards.
struct Bridge {
  std::string name, link_class;
  double bandwidth = 0;  ///< bytes/s, one direction
  double latency_seconds = 0;
  bool operator==(const Bridge&) const = default;
};

struct DeviceFile {
  DeviceSpec device;
  std::vector<std::string> aliases;   ///< mean this device wherever they stand: "A100" = A100-SXM4-80GB
  std::vector<std::string> families;  ///< mean this device in a system that holds no better one: "V100" @dgx2
  std::string form_factor;            ///< "SXM4", "PCIe": systems accept by it
  std::string host_interface;         ///< "pcie4": a link class; picks the tier of a system that has several
  std::string default_system;
  bool peer_to_peer = true;      ///< can reach its neighbours over PCIe without host memory
  std::optional<Bridge> bridge;  ///< used by systems with `bridged_pairs`
  bool operator==(const DeviceFile&) const = default;

  bool is_called(std::string_view name) const;      ///< name or alias, as folded by fold_name
  bool may_be_called(std::string_view name) const;  ///< or family
};

DeviceFile read_device_file(const std::string& path);

}  // namespace dtbench
