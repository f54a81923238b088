#include "topologies/topology_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "tests/support/error_message.h"
#include "tests/unit/topologies/fake_host_probe.h"
#include "topologies/host_topology.h"
#include "topologies/topology_library.h"

namespace dtbench {
namespace {

using testing::HasSubstr;

Topology read(const std::string& text) {
  const Json json = parse_json(text, "my.json");
  return topology_from_json(JsonReader(json, "my.json"));
}

Json json_of(const std::string& spelling) {
  return parse_json(topology_to_json_text(TopologyLibrary().resolve(spelling, FakeHostProbe())), "my.json");
}

// The error of reading `spelling` after a change to its JSON.
std::string refusal(const std::string& spelling, const std::function<void(Json&)>& change) {
  Json json = json_of(spelling);
  change(json);
  return message_of([&] { topology_from_json(JsonReader(json, "my.json")); });
}

TEST(TopologyJson, ReadsBackWhatItWrote) {
  const TopologyLibrary library;
  for (const char* spelling : {"8xA100", "2x8xA100", "3x5xV100@dgx1", "8xP100", "16xV100@dgx2", "8xK80", "2x8xK80",
                               "4xRTX-4090", "16xRTX-3090", "8xH100-PCIe", "1xT4", "host"}) {
    const Topology topology = library.resolve(spelling, FakeHostProbe());
    EXPECT_EQ(read(topology_to_json_text(topology)), topology) << spelling;
  }
}

TEST(TopologyJson, KeepsNumbersToTheLastBit) {
  Topology topology = TopologyLibrary().resolve("8xA100", FakeHostProbe());
  topology.within_node.bandwidth = 0.1 + 0.2;
  topology.within_node.latency_seconds = 1e-6 / 3;
  EXPECT_EQ(read(topology_to_json_text(topology)), topology);
}

TEST(TopologyJson, PointsAtCountsThatDoNotFit) {
  EXPECT_EQ(refusal("8xA100", [](Json& j) { j["devices_per_node"] = 0; }),
            "my.json:/devices_per_node: number 0; expected a whole number of at least 1");
  EXPECT_THAT(refusal("8xA100", [](Json& j) { j["nodes"] = 1 << 20; }), HasSubstr("1048576 x 8 devices"));
  EXPECT_THAT(refusal("8xA100", [](Json& j) { j["nodes"] = std::int64_t{1} << 40; }), HasSubstr("/nodes"));
  EXPECT_THAT(refusal("8xA100", [](Json& j) { j["devices_per_node"] = 2000; }), HasSubstr("at most 1024"));
}

TEST(TopologyJson, RefusesBandwidthsThatAreNotPositive) {
  for (const double bandwidth : {0., -1.}) {
    EXPECT_THAT(refusal("8xA100", [&](Json& j) { j["within_node"]["bandwidth_bytes_per_second"] = bandwidth; }),
                HasSubstr("my.json:/within_node/bandwidth_bytes_per_second"));
    EXPECT_THAT(refusal("2x8xA100", [&](Json& j) { j["between_nodes"]["bandwidth_bytes_per_second"] = bandwidth; }),
                HasSubstr("my.json:/between_nodes/bandwidth_bytes_per_second"));
    EXPECT_THAT(refusal("8xRTX-3090",
                        [&](Json& j) { j["within_node"]["pcie"]["socket_bandwidth_bytes_per_second"] = bandwidth; }),
                HasSubstr("/within_node/pcie/socket_bandwidth_bytes_per_second"));
    EXPECT_THAT(refusal("8xA100", [&](Json& j) { j["device"]["memory_bandwidth_bytes_per_second"] = bandwidth; }),
                HasSubstr("/device/memory_bandwidth_bytes_per_second"));
    EXPECT_THAT(refusal("8xA100", [&](Json& j) { j["device"]["peak_flops"]["float32"] = bandwidth; }),
                HasSubstr("/device/peak_flops/float32"));
  }
  EXPECT_THAT(refusal("8xA100", [](Json& j) { j["within_node"]["latency_seconds"] = -1e-6; }),
              HasSubstr("/within_node/latency_seconds"));
}

TEST(TopologyJson, RefusesMeshesThatDoNotHangTogether) {
  const auto change = [](const std::function<void(Json&)>& edit) {
    return refusal("8xV100", [&](Json& j) { edit(j["within_node"]["mesh"]); });
  };
  EXPECT_EQ(change([](Json& mesh) { mesh[2]["b"] = 8; }),
            "my.json:/within_node/mesh/2: device 8; expected devices 0..7 of the node");
  EXPECT_THAT(change([](Json& mesh) { mesh[2]["a"] = -1; }), HasSubstr("/within_node/mesh/2/a"));
  EXPECT_THAT(change([](Json& mesh) { mesh[1]["b"] = mesh[1]["a"]; }), HasSubstr("to itself"));
  EXPECT_THAT(change([](Json& mesh) { mesh[1]["lanes"] = 0; }), HasSubstr("/within_node/mesh/1/lanes"));
  EXPECT_THAT(change([](Json& mesh) { mesh.push_back({{"a", 3}, {"b", 0}}); }), HasSubstr("the edge 0-3 again"));
  EXPECT_EQ(change([](Json& mesh) {
              mesh = Json::array({{{"a", 0}, {"b", 1}}});
            }),
            "my.json:/within_node/mesh: no way from device 0 to device 2; expected a connected mesh");
}

TEST(TopologyJson, WantsANetworkExactlyBetweenSeveralNodes) {
  EXPECT_THAT(refusal("2x8xA100", [](Json& j) { j.erase("between_nodes"); }), HasSubstr("'between_nodes' is missing"));
  EXPECT_THAT(refusal("2x8xA100", [](Json& j) { j["nodes"] = 1; }), HasSubstr("my.json:/between_nodes"));
  EXPECT_THAT(refusal("2x8xA100", [](Json& j) { j["between_nodes"] = j["within_node"]; }),
              HasSubstr("my.json:/between_nodes/wiring: 'all_to_all'; expected 'rails'"));
  EXPECT_THAT(refusal("2x8xA100", [](Json& j) { j["within_node"] = j["between_nodes"]; }),
              HasSubstr("my.json:/within_node/wiring"));
}

TEST(TopologyJson, WantsAStagingBandwidthWhereTransfersAreStaged) {
  EXPECT_THAT(refusal("4xA100-PCIe",
                      [](Json& j) {
                        j["within_node"]["pcie"]["peer_to_peer"] = false;
                        j["within_node"]["pcie"].erase("staging_bandwidth_bytes_per_second");
                      }),
              HasSubstr("'staging_bandwidth_bytes_per_second' is missing"));
}

TEST(TopologyJson, WantsRatesOfAGpuButNotOfACpu) {
  EXPECT_THAT(refusal("8xA100", [](Json& j) { j["device"]["peak_flops"] = Json::object(); }), HasSubstr("/peak_flops"));
  EXPECT_THAT(refusal("8xA100", [](Json& j) { j["device"].erase("memory_bandwidth_bytes_per_second"); }),
              HasSubstr("memory_bandwidth_bytes_per_second"));
  EXPECT_EQ(refusal("host", [](Json&) {}), "");
}

TEST(TopologyJson, RefusesMisspeltKeysAndWordsWithTheNearest) {
  EXPECT_THAT(refusal("8xA100", [](Json& j) { j["within_node"]["bandwith"] = 1; }),
              HasSubstr("unknown key 'bandwith'"));
  EXPECT_THAT(refusal("8xA100", [](Json& j) { j["device"]["peak_flops"]["bfloat"] = 1; }),
              HasSubstr("did you mean 'float8'"));
  EXPECT_THAT(refusal("8xA100", [](Json& j) { j["within_node"]["wiring"] = "all-to-all"; }),
              HasSubstr("did you mean 'all_to_all'?"));
  EXPECT_THAT(refusal("8xA100", [](Json& j) { j["schema"] = "dtbench.topology/9"; }),
              HasSubstr("expected 'dtbench.topology/1'"));
  EXPECT_THAT(refusal("8xA100", [](Json& j) { j["within_node"]["mesh"] = Json::array(); }),
              HasSubstr("unknown key 'mesh'"));
}

}  // namespace
}  // namespace dtbench
