// The machine in words, for headlines, findings and tables.
#pragma once

#include <optional>
#include <string>

#include "topologies/topology.h"

namespace dtbench {

/// "8 x A100-SXM4-80GB (19.5 TFLOP/s float32, 80 GB, 2.04 TB/s)": per device; the rate only if the data sheet has it.
std::string devices_text(const Topology& topology, const std::string& precision);
/// "NVLink3 through NVSwitch, 300 GB/s per device and direction"; for several nodes also "; between nodes ..."
std::string links_text(const Topology& topology);
/// "8 x A100-SXM4-80GB", "2 replicas on this host": so many devices of the topology.
std::string count_text(const Topology& topology, int devices);
/// The tier's name for people, or the link class itself when no tier has it.
std::string link_name(const Topology& topology, const std::string& link_class);

/// Dense peak FLOP/s of one device for the matrix products of a precision policy ("mixed_bfloat16"), if known.
std::optional<double> peak_flops(const DeviceSpec& device, const std::string& precision);

}  // namespace dtbench
