// The machine, described: values only, no behaviour.
//
// A machine is `nodes` equal nodes of `devices_per_node` equal devices. Devices of a node talk over `within_node`,
// nodes over `between_nodes`. All numbers are data-sheet numbers in one direction; how much of them is really reached
// is the business of a Calibration. Every number in the JSON files carries its source.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topologies/arithmetic.h"

namespace dtbench {

enum class DeviceKind { gpu, tpu, cpu };
inline constexpr std::array<std::string_view, 3> kDeviceKindNames = {"gpu", "tpu", "cpu"};
constexpr std::string_view name_of(DeviceKind kind) { return kDeviceKindNames[static_cast<std::size_t>(kind)]; }

struct DeviceSpec {
  std::string name;          ///< canonical, e.g. "A100-SXM4-80GB"
  std::string architecture;  ///< calibrations fall back to it: "ampere", "volta", ...
  DeviceKind kind = DeviceKind::gpu;
  std::map<Arithmetic, double> peak_flops;  ///< dense FLOP/s by arithmetic; absent = not supported
  double memory_bytes = 0;
  double memory_bandwidth = 0;  ///< bytes/s
  double host_bandwidth = 0;    ///< bytes/s, one direction, device <-> host
  double launch_seconds = 0;    ///< time to launch one kernel
  std::optional<double> power_watts, price_usd_per_hour;
  std::map<std::string, std::string> sources;  ///< field name -> where the number comes from
  bool operator==(const DeviceSpec&) const = default;
};

/// How the members of a tier are wired.
enum class Wiring {
  all_to_all,     ///< a switch (NVSwitch): one up and one down link per member, nothing in the middle
  mesh,           ///< point-to-point links (NVLink cube mesh), listed in `mesh`
  pcie_tree,      ///< devices under PCIe switches under CPU sockets
  shared_memory,  ///< threads or processes of one host
  rails,          ///< network: NICs of the nodes on non-blocking switches, rail-optimised
};
inline constexpr std::array<std::string_view, 5> kWiringNames = {"all_to_all", "mesh", "pcie_tree", "shared_memory",
                                                                 "rails"};
constexpr std::string_view name_of(Wiring wiring) { return kWiringNames[static_cast<std::size_t>(wiring)]; }

/// One point-to-point connection of a mesh; `lanes` parallel bricks, each of the tier's bandwidth per direction.
struct MeshEdge {
  int a = 0, b = 0, lanes = 1;
  bool operator==(const MeshEdge&) const = default;
};

/// Shape of a PCIe tree. Without `peer_to_peer`, every transfer is staged through host memory.
struct PcieTree {
  int devices_per_switch = 1;
  int sockets = 1;              ///< devices are divided evenly
  double socket_bandwidth = 0;  ///< bytes/s, one direction, between sockets; 0 when there is one socket
  bool peer_to_peer = true;
  /// bytes/s that all host-staged transfers of a node share; each crosses twice (written, then read).
  double staging_bandwidth = 0;
  double bridge_bandwidth = 0;  ///< bytes/s, one direction, of an NVLink bridge over devices 2k and 2k+1; 0 = none
  bool operator==(const PcieTree&) const = default;
};

struct Tier {
  std::string name;        ///< for people: "NVLink3 through NVSwitch"
  std::string link_class;  ///< key into Calibration::links: "nvlink3-switch", "pcie4", "ib-hdr200", "shared-memory"
  Wiring wiring = Wiring::all_to_all;
  double bandwidth = 0;        ///< bytes/s, one direction: per member (all_to_all, shared_memory, pcie_tree), per lane
                               ///< (mesh), per NIC (rails)
  double latency_seconds = 0;  ///< one hop, nominal
  std::vector<MeshEdge> mesh;  ///< wiring == mesh
  PcieTree pcie;               ///< wiring == pcie_tree
  int nics_per_node = 0;       ///< wiring == rails
  std::map<std::string, std::string> sources;
  bool operator==(const Tier&) const = default;
};

struct Topology {
  std::string spec;    ///< canonical spelling, e.g. "8xA100-SXM4-80GB@hgx-a100"
  std::string system;  ///< e.g. "hgx-a100"
  int nodes = 1;
  int devices_per_node = 1;
  DeviceSpec device;
  Tier within_node;
  std::optional<Tier> between_nodes;     ///< present when nodes > 1
  std::vector<std::string> assumptions;  ///< what the spelling left open and how it was settled; printed in reports
  int devices() const { return nodes * devices_per_node; }
  bool operator==(const Topology&) const = default;
};

}  // namespace dtbench
