// The grammar of topology names, without looking anything up:
//   [<nodes>x]<devices per node>x<device>[@<system>]    8xA100   4x8xV100@dgx1   512x8xA100@hgx-a100
//   A100@hgx-a100                                       no count: one device
//   host                                                this machine
//   <path ending in .json>                              a topology file
#pragma once

#include <string>
#include <string_view>

namespace dtbench {

struct TopologySpec {
  enum class Kind { named, host, file } kind = Kind::named;
  int nodes = 1;
  int devices_per_node = 1;
  bool nodes_given = false;  ///< "1x8xA100" against "8xA100"
  std::string device, system, path;
  bool operator==(const TopologySpec&) const = default;
};

/// Errors say which part is wrong and show the grammar. Counts are 1..2^20 devices in all.
TopologySpec parse_topology_spec(std::string_view text);

}  // namespace dtbench
