#include <string_view>

#include "tests/fuzz/target.h"
#include "topologies/base/error.h"
#include "topologies/topology_spec.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto spec = dtbench::parse_topology_spec({reinterpret_cast<const char*>(data), size});
    DTBENCH_CHECK(spec.kind != dtbench::TopologySpec::Kind::named || (spec.nodes >= 1 && spec.devices_per_node >= 1));
  } catch (const dtbench::Error&) {
  }
  return 0;
}
