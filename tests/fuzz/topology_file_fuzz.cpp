#include <nlohmann/json.hpp>
#include <string>

#include "tests/fuzz/target.h"
#include "topologies/base/error.h"
#include "topologies/base/json_reader.h"
#include "topologies/topology_graph.h"
#include "topologies/topology_json.h"

// Any bytes as a topology file; a small one that is accepted must make a graph with a path between its first two
// devices.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const dtbench::Json json = dtbench::parse_json({reinterpret_cast<const char*>(data), size}, "fuzz.json");
    const dtbench::Topology topology = dtbench::topology_from_json(dtbench::JsonReader(json, "fuzz.json"));
    if (topology.devices() < 2 || topology.devices() > 256) return 0;
    DTBENCH_CHECK(!dtbench::TopologyGraph(topology).path(0, 1).empty());
  } catch (const dtbench::Error&) {
  }
  return 0;
}
