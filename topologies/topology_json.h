// Topology <-> JSON (`dtbench.topology/1`): what `dtbench topology show --json` writes, `--topology my.json` reads and
// every result carries. Keys end in their unit; numbers are bytes, bytes per second, FLOP/s, seconds. Reading is
// strict.
#pragma once

#include <string>

#include "topologies/base/json_reader.h"
#include "topologies/topology.h"

namespace dtbench {

/// A node holds at most this many devices; a machine at most kMaxDevices.
inline constexpr int kMaxDevicesPerNode = 1024, kMaxMeshDevices = 64, kMaxDevices = 1 << 20;

std::string topology_to_json_text(const Topology& topology);
/// Reads one object, to its last key. Refuses counts that do not fit, bandwidths that are not positive and meshes that
/// do not hang together.
Topology topology_from_json(JsonReader reader);
Topology topology_from_json_file(const std::string& path);

/// The parts, spelled alike in topology, device and system files. `read_device` leaves other keys to the caller;
/// `read_tier` does not.
DeviceSpec read_device(JsonReader& reader);
Tier read_tier(JsonReader reader);

}  // namespace dtbench
