// systems/<name>.json (`dtbench.system/1`): a node, what devices it holds, and the fabric it has by default. A new
// system is one such file.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topologies/device_file.h"
#include "topologies/topology.h"

namespace dtbench {

struct SystemFile {
  std::string name, description;
  std::vector<std::string> aliases;
  std::vector<std::string> devices;  ///< device names or form factors; the first is taken where a family name leaves it
                                     ///< open
  int max_devices_per_node = 1;
  int single_socket_up_to = 0;       ///< so many devices hang on one socket, more on all; 0 = always on all
  bool grants_peer_to_peer = false;  ///< by a driver that lets every card copy to its neighbours
  bool bridged_pairs = false;        ///< devices 2k and 2k+1 wear the bridge that their file describes
  std::vector<Tier> within_node;     ///< more than one: a device takes that of its host interface
  Tier between_nodes;
  std::optional<double> price_usd_per_device_hour;
  std::string price_source;
  bool operator==(const SystemFile&) const = default;

  bool is_called(std::string_view name) const;
  bool accepts(const DeviceFile& device) const;
  /// The wiring of a node with so many of these devices: mesh edges among them, sockets in use, P2P where the device
  /// can, the bridge alone between two bridged cards.
  Tier tier_for(const DeviceFile& device, int devices_per_node) const;
};

SystemFile read_system_file(const std::string& path);

}  // namespace dtbench
