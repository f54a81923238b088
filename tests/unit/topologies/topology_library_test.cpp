#include "topologies/topology_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "tests/support/error_message.h"
#include "tests/unit/topologies/fake_host_probe.h"

namespace dtbench {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Topology resolve(const std::string& spelling) { return TopologyLibrary().resolve(spelling, FakeHostProbe()); }
std::string refusal(const std::string& spelling) {
  return message_of([&] { resolve(spelling); });
}

TEST(TopologyLibrary, SettlesWhatAShortNameLeavesOpenAndSaysSo) {
  const Topology topology = resolve("8xA100");
  EXPECT_EQ(topology.spec, "8xA100-SXM4-80GB@hgx-a100");
  EXPECT_EQ(topology.nodes, 1);
  EXPECT_EQ(topology.devices_per_node, 8);
  EXPECT_FALSE(topology.between_nodes);
  EXPECT_THAT(topology.assumptions, ElementsAre("'A100' is taken as A100-SXM4-80GB",
                                                "system not named: hgx-a100 (8 x A100 SXM4 on one NVSwitch board)"));
}

TEST(TopologyLibrary, AssumesNothingWhereAllIsSaid) {
  EXPECT_THAT(resolve("8xA100-SXM4-80GB@hgx-a100").assumptions, IsEmpty());
}

TEST(TopologyLibrary, GivesSeveralNodesTheDefaultFabric) {
  const Topology topology = resolve("512x8xA100");
  EXPECT_EQ(topology.spec, "512x8xA100-SXM4-80GB@hgx-a100");
  EXPECT_EQ(topology.devices(), 4096);
  ASSERT_TRUE(topology.between_nodes);
  EXPECT_EQ(topology.between_nodes->link_class, "ib-hdr200");
  EXPECT_EQ(topology.between_nodes->nics_per_node, 8);
  EXPECT_EQ(topology.between_nodes->bandwidth, 25e9);
  EXPECT_THAT(topology.assumptions, Contains("fabric between nodes: 8 x HDR200 InfiniBand per node, rail-optimised, "
                                             "the default of hgx-a100"));
}

TEST(TopologyLibrary, ResolvesItsOwnSpellingToTheSameMachine) {
  for (const char* spelling : {"8xA100", "2x8xH100", "4xRTX 4090", "16xV100@dgx2", "8xK80"}) {
    Topology first = resolve(spelling), again = resolve(first.spec);
    first.assumptions.clear();
    again.assumptions.clear();
    EXPECT_EQ(first, again) << spelling;
  }
}

TEST(TopologyLibrary, TakesNamesWithoutCaseSpacesAndHyphens) {
  for (const char* name : {"A100-PCIE-40GB", "a100 pcie 40gb", "A100PCIe40GB", "a100_pcie_40gb"})
    EXPECT_EQ(TopologyLibrary().device(name).name, "A100-PCIE-40GB") << name;
  EXPECT_EQ(TopologyLibrary().device("V100-SXM2-32GB").name, "V100-SXM2-32GB");
  EXPECT_EQ(TopologyLibrary().device("rtx 3090").name, "RTX-3090");
  EXPECT_EQ(TopologyLibrary().device("geforce rtx3090").name, "RTX-3090");
  EXPECT_EQ(resolve("8xA100@HGX A100").system, "hgx-a100");
}

TEST(TopologyLibrary, LetsTheSystemChooseAmongAFamily) {
  EXPECT_EQ(resolve("8xV100").device.name, "V100-SXM2-16GB");
  EXPECT_EQ(resolve("16xV100@dgx2").device.name, "V100-SXM3-32GB");
  EXPECT_EQ(resolve("4xV100@pcie").device.name, "V100-PCIE-16GB");
  EXPECT_EQ(resolve("4xA100@pcie").device.name, "A100-PCIE-40GB");
  EXPECT_EQ(resolve("4xA100-80GB@pcie").device.name, "A100-PCIE-80GB");
  EXPECT_EQ(resolve("8xP100@dgx1-p100").device.name, "P100-SXM2-16GB");
  EXPECT_EQ(resolve("8xA100-40GB@dgx-a100").device.name, "A100-SXM4-40GB");
}

TEST(TopologyLibrary, WiresPcieCardsByTheirGenerationAndDriver) {
  const Tier old_card = resolve("8xV100-PCIE-16GB").within_node, new_card = resolve("4xRTX-4090").within_node;
  EXPECT_EQ(old_card.link_class, "pcie3");
  EXPECT_EQ(old_card.pcie.sockets, 2);
  EXPECT_TRUE(old_card.pcie.peer_to_peer);
  EXPECT_EQ(new_card.link_class, "pcie4");
  EXPECT_EQ(new_card.pcie.sockets, 1);
  EXPECT_FALSE(new_card.pcie.peer_to_peer) << "GeForce drivers offer none";
}

TEST(TopologyLibrary, TakesPriceFromTheCloudSystem) {
  const Topology cloud = resolve("8xK80@aws-p2.8xlarge");
  EXPECT_EQ(cloud.device.price_usd_per_hour, 0.9);
  EXPECT_THAT(cloud.device.sources.at("price_usd_per_hour"), HasSubstr("us-east-1"));
  EXPECT_FALSE(resolve("8xA100").device.price_usd_per_hour);
}

TEST(TopologyLibrary, RefusesMoreDevicesThanANodeHolds) {
  EXPECT_EQ(refusal("9xA100"),
            "topology '9xA100': 9 devices in one node of 'hgx-a100'; expected 1..8 "
            "(several nodes: 2x8xA100 has 16 devices)");
  EXPECT_THAT(refusal("16xA100"), HasSubstr("2x8xA100 has 16 devices"));
  EXPECT_THAT(refusal("40xV100@dgx2"), HasSubstr("3x16xV100@dgx2 has 48 devices"));
  EXPECT_THAT(refusal("2x9xA100"), HasSubstr("more devices are more nodes: <nodes>x8xA100"));
  EXPECT_EQ(refusal("16xRTX-3090"), "");
  EXPECT_EQ(resolve("3xA100").devices_per_node, 3) << "fewer than a full node is fine";
}

TEST(TopologyLibrary, RefusesUnknownNamesWithTheNearestOne) {
  EXPECT_EQ(refusal("8xV10O"), "device 'V10O': unknown (did you mean 'V100'?)");
  EXPECT_EQ(refusal("4xRTX-3091"), "device 'RTX-3091': unknown (did you mean 'RTX-3090'?)");
  EXPECT_EQ(refusal("hots"), "device 'hots': unknown (did you mean 'host'?)");
  EXPECT_THAT(refusal("8xA100@hgx-a10"), HasSubstr("(did you mean 'hgx-a100'?)"));
  EXPECT_THAT(refusal("8xTotallyUnknown"), HasSubstr("'A100-PCIE-40GB', 'A100-PCIE-80GB', "));
}

TEST(TopologyLibrary, TellsASystemFromADevice) {
  EXPECT_EQ(refusal("8xdgx-a100"), "device 'dgx-a100': unknown (that is a system: write <count>x<device>@dgx-a100)");
  EXPECT_THAT(refusal("p3.16xlarge"), HasSubstr("<count>x<device>@aws-p3.16xlarge"));
}

TEST(TopologyLibrary, RefusesADeviceThatTheSystemDoesNotHold) {
  EXPECT_EQ(refusal("8xH100@hgx-a100"),
            "system 'hgx-a100': H100-SXM5-80GB is not one of its devices; expected 'A100-SXM4-80GB' or "
            "'A100-SXM4-40GB' (H100-SXM5-80GB stands in 'hgx-h100')");
}

TEST(TopologyLibrary, AsksTheProbeForHost) {
  const Topology host = TopologyLibrary().resolve("host", FakeHostProbe(6), 2);
  EXPECT_EQ(host.devices(), 3);
  EXPECT_EQ(host.system, "host");
}

class OwnData : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "dtbench-data-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
    fs::copy(data_directory() + "/devices", folder_ / "devices", fs::copy_options::recursive);
    fs::copy(data_directory() + "/systems", folder_ / "systems", fs::copy_options::recursive);
  }
  void TearDown() override {
    ::unsetenv("DTBENCH_DATA");
    fs::remove_all(folder_);
  }
  fs::path folder_;
};

TEST_F(OwnData, ANewDeviceIsOneFile) {
  std::ifstream in(folder_ / "devices" / "RTX-4090.json");
  std::string text((std::istreambuf_iterator<char>(in)), {});
  for (std::size_t at; (at = text.find("RTX-4090")) != std::string::npos;) text.replace(at, 8, "RTX-5090");
  for (std::size_t at; (at = text.find("RTX 4090")) != std::string::npos;) text.replace(at, 8, "RTX 5090");
  std::ofstream(folder_ / "devices" / "RTX-5090.json") << text;
  const TopologyLibrary library(folder_.string());
  EXPECT_THAT(library.device_names(), Contains("RTX-5090"));
  EXPECT_EQ(library.resolve("4xGeForce RTX 5090", FakeHostProbe()).spec, "4xRTX-5090@pcie");
}

TEST_F(OwnData, IsFoundThroughTheEnvironment) {
  ::setenv("DTBENCH_DATA", folder_.c_str(), 1);
  EXPECT_EQ(data_directory(), folder_.string());
  ::setenv("DTBENCH_DATA", "/no/such/folder", 1);
  EXPECT_EQ(message_of([] { data_directory(); }),
            "$DTBENCH_DATA: '/no/such/folder'; expected a folder that holds devices/ and systems/");
}

TEST_F(OwnData, OnlyTheFilesAskedForAreRead) {
  std::ofstream(folder_ / "devices" / "T4.json") << "broken";
  const TopologyLibrary library(folder_.string());
  EXPECT_EQ(library.device("A100-SXM4-80GB").name, "A100-SXM4-80GB");
  EXPECT_THAT(message_of([&] { library.device("T4"); }), HasSubstr("T4.json:1:1: not JSON"));
}

TEST_F(OwnData, AFileIsReadAsATopology) {
  const Topology topology = resolve("2x4xV100");
  const std::string path = (folder_ / "my.json").string();
  std::ofstream(path) << topology_to_json_text(topology);
  EXPECT_EQ(resolve(path), topology);
  EXPECT_THAT(refusal((folder_ / "no.json").string()), HasSubstr("cannot be read"));
}

}  // namespace
}  // namespace dtbench
