// The committed devices/*.json and systems/*.json: complete, sourced, and without two things called the same.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/unit/topologies/fake_host_probe.h"
#include "topologies/base/suggest.h"
#include "topologies/device_file.h"
#include "topologies/system_file.h"
#include "topologies/topology_library.h"

namespace dtbench {
namespace {

std::string device_path(const std::string& name) { return data_directory() + "/devices/" + name + ".json"; }
std::string system_path(const std::string& name) { return data_directory() + "/systems/" + name + ".json"; }

// Paths of all numbers of an object; a mesh is one field, tiers and peak rates have fields of their own.
void numeric_fields(const Json& object, const std::string& prefix, std::set<std::string>& fields) {
  for (const auto& [key, value] : object.items()) {
    if (value.is_number() || key == "mesh") fields.insert(prefix + key);
    if (key == "peak_flops" || key == "pcie" || key == "bridge") numeric_fields(value, prefix + key + "/", fields);
  }
}

void expect_sourced(const Json& object, const std::string& where) {
  std::set<std::string> fields, sourced;
  numeric_fields(object, "", fields);
  for (const auto& [key, value] : object.at("sources").items()) {
    sourced.insert(key);
    EXPECT_GT(value.get<std::string>().size(), 5u) << where << " " << key;
  }
  EXPECT_EQ(fields, sourced) << where;
}

TEST(DataFiles, GiveASourceForEveryNumberAndNothingElse) {
  const TopologyLibrary library;
  for (const std::string& name : library.device_names()) expect_sourced(load_json_file(device_path(name)), name);
  for (const std::string& name : library.system_names()) {
    const Json system = load_json_file(system_path(name));
    expect_sourced(system, name);
    for (const Json& tier : system.at("within_node")) expect_sourced(tier, name + "/within_node");
    expect_sourced(system.at("between_nodes"), name + "/between_nodes");
  }
}

TEST(DataFiles, AreCalledAsTheyCallThemselves) {
  const TopologyLibrary library;
  for (const std::string& name : library.device_names())
    EXPECT_EQ(read_device_file(device_path(name)).device.name, name);
  for (const std::string& name : library.system_names()) EXPECT_EQ(read_system_file(system_path(name)).name, name);
}

TEST(DataFiles, CallNoTwoThingsTheSame) {
  const TopologyLibrary library;
  std::map<std::string, std::string> owner;
  const auto claim = [&](const std::string& name, const std::string& file) {
    const auto [it, added] = owner.emplace(fold_name(name), file);
    EXPECT_TRUE(added) << name << " means both " << it->second << " and " << file;
  };
  claim("host", "this machine");
  for (const std::string& name : library.device_names()) {
    claim(name, name);
    for (const std::string& alias : read_device_file(device_path(name)).aliases) claim(alias, name);
  }
  for (const std::string& name : library.system_names()) {
    claim(name, name);
    for (const std::string& alias : read_system_file(system_path(name)).aliases) claim(alias, name);
  }
}

TEST(DataFiles, LeaveNoFamilyWithoutADefaultMember) {
  const TopologyLibrary library;
  for (const std::string& name : library.device_names())
    for (const std::string& family : read_device_file(device_path(name)).families)
      EXPECT_NO_THROW(library.device(family)) << family << " of " << name;
}

TEST(DataFiles, NameDevicesAndFormFactorsThatExist) {
  const TopologyLibrary library;
  std::set<std::string> known;
  for (const std::string& name : library.device_names()) {
    known.insert(name);
    known.insert(read_device_file(device_path(name)).form_factor);
  }
  for (const std::string& name : library.system_names())
    for (const std::string& entry : read_system_file(system_path(name)).devices)
      EXPECT_EQ(known.count(entry), 1u) << entry << " in " << name;
}

TEST(DataFiles, ResolveEveryDeviceInItsDefaultSystemAtEveryCount) {
  const TopologyLibrary library;
  for (const std::string& name : library.device_names()) {
    const SystemFile system = read_system_file(system_path(read_device_file(device_path(name)).default_system));
    for (int count = 1; count <= system.max_devices_per_node; ++count) {
      const Topology topology = library.resolve(std::to_string(count) + "x" + name, FakeHostProbe());
      EXPECT_EQ(topology.system, system.name);
      EXPECT_EQ(topology.devices(), count);
    }
  }
}

TEST(DataFiles, UseTheKnownLinkClassesOnly) {
  const std::set<std::string> classes = {
      "nvlink1-mesh",   "nvlink2-mesh", "nvlink2-switch", "nvlink3-switch", "nvlink4-switch",    "nvlink4-mesh",
      "nvlink5-switch", "xgmi4-mesh",   "roce-mesh",      "hccs-mesh",      "neuronlink2-torus", "pcie3",
      "pcie4",          "pcie5",        "ib-edr",         "ib-hdr200",      "ib-ndr400",         "ib-xdr800",
      "opa-100g",       "roce-100g",    "roce-200g",      "roce-400g",      "efa-100g",          "efa-200g",
      "efa-400g",       "ethernet-10g", "ethernet-25g",   "ethernet-100g",  "ethernet-200g"};
  const TopologyLibrary library;
  for (const std::string& name : library.system_names()) {
    const SystemFile system = read_system_file(system_path(name));
    for (const Tier& tier : system.within_node) EXPECT_EQ(classes.count(tier.link_class), 1u) << tier.link_class;
    EXPECT_EQ(classes.count(system.between_nodes.link_class), 1u) << system.between_nodes.link_class;
    EXPECT_EQ(system.between_nodes.wiring, Wiring::rails);
  }
}

// Every machine that a row of the published measurements names.
TEST(DataFiles, ResolveThePublishedMachines) {
  const TopologyLibrary library;
  for (const char* spelling :
       {"16x16xV100@dgx2h",       "16x8xA100@dgx-a100",     "16xV100@dgx2",          "1xA10@pcie",
        "1xGH200@pcie",           "1xGTX-1080-Ti@pcie",     "8xH200@hgx-h200",       "8xH100-PCIe@pcie",
        "8xA100-PCIe@pcie",       "1xRTX-2070-MAX-Q@pcie",  "1xRTX-2080-MAX-Q@pcie", "1xRTX-2080-SUPER-MAX-Q@pcie",
        "2xRTX-3080@pcie",        "8xRTX-3090@pcie",        "2xRTX-4090@pcie",       "8xQuadro-RTX-8000@pcie-nvlink",
        "8xQuadro-RTX-8000@pcie", "8x8xK80@aws-p2.8xlarge", "8xK80@gce-8xk80",       "8xP100@dgx1-p100",
        "8xV100@v100x8-nvlink",   "4x8xV100@dgx1",          "8xA100@hgx-a100"})
    EXPECT_NO_THROW(library.resolve(spelling, FakeHostProbe())) << spelling;
}

// Names that users write, of machines of every make.
TEST(DataFiles, ResolveTheSystemsThatPeopleName) {
  const TopologyLibrary library;
  for (const char* spelling : {"8xP100@dgx1-p100",
                               "8xV100@dgx1",
                               "16xV100@dgx2",
                               "16xV100@dgx2h",
                               "8xA100@dgx-a100",
                               "8xH100@dgx-h100",
                               "8xB200@dgx-b200",
                               "8xA100@hgx-a100",
                               "8xH100@hgx-h100",
                               "8xH200@hgx-h200",
                               "8xB200@hgx-b200",
                               "8xB300@hgx-b300",
                               "2x8xH100@hgx-h100-ndr400",
                               "2x8xH200@hgx-h200-ndr400",
                               "2x8xH100@hgx-h100-ndr400-sharp",
                               "2x8xA100@hgx-a100-opa4",
                               "72xGB200@gb200-nvl72",
                               "72xGB300@gb300-nvl72",
                               "8xV100@v100x8-nvlink",
                               "2x8xV100@v100x8-edr1",
                               "4xV100@v100x4-mesh",
                               "2x4xV100@v100x4-mesh-opa4",
                               "8xP100@p100x8-pcie",
                               "8xRTX-3090@rtx3090x8-pcie",
                               "4xRTX-4090@rtx4090x4-pcie",
                               "8xL40S@pcie",
                               "8xRTX-4090@pcie-p2p",
                               "8xA100-PCIe@pcie-nvlink",
                               "8xK80@aws-p2.8xlarge",
                               "16xK80@aws-p2.16xlarge",
                               "8xV100@aws-p3.16xlarge",
                               "2x8xV100@aws-p3dn.24xlarge",
                               "8xA100@aws-p4d.24xlarge",
                               "8xA100@aws-p4de.24xlarge",
                               "8xH100@aws-p5.48xlarge",
                               "8xH200@aws-p5en.48xlarge",
                               "8xB200@aws-p6-b200.48xlarge",
                               "8xT4@aws-g4dn.metal",
                               "16xTrainium1@aws-trn1.32xlarge",
                               "8xV100@azure-ndv2",
                               "8xA100@azure-nd96asr-v4",
                               "8xA100@azure-nd96amsr-a100-v4",
                               "8xH100@azure-nd96isr-h100-v5",
                               "8xA100@gcp-a2-highgpu-8g",
                               "16xA100@gcp-a2-megagpu-16g",
                               "8xH100@gcp-a3-highgpu-8g",
                               "8xH100@gcp-a3-megagpu-8g",
                               "8xH200@gcp-a3-ultragpu-8g",
                               "8xB200@gcp-a4-highgpu-8g",
                               "8xK80@gce-8xk80",
                               "8xA100@oci-bm.gpu4.8",
                               "8xH100@oci-bm.gpu.h100.8",
                               "8xMI300X@mi300x8",
                               "8xMI350X@mi350x8",
                               "8xAscend910@ascend910x8",
                               "8xGaudi2@gaudi2x8",
                               "V100-SXM2-32GB",
                               "RTX-PRO-6000-BSE",
                               "A100-PCIE-40GB",
                               "RTX 2080 Ti",
                               "RTX 3080",
                               "RTX A6000",
                               "RTX 6000 Ada",
                               "RTX PRO 6000",
                               "Quadro RTX 8000",
                               "L4",
                               "L40S",
                               "A10",
                               "GTX 1080 Ti",
                               "Titan",
                               "Titan V",
                               "Gaudi2"})
    EXPECT_NO_THROW(library.resolve(spelling, FakeHostProbe())) << spelling;
  EXPECT_TRUE(library.resolve("2xRTX-4090@pcie-p2p", FakeHostProbe()).within_node.pcie.peer_to_peer);
}

TEST(DataFiles, KeepPublishedNumbers) {
  const TopologyLibrary library;
  const DeviceSpec a100 = library.device("A100");
  EXPECT_EQ(a100.name, "A100-SXM4-80GB");
  EXPECT_EQ(a100.peak_flops.at(Arithmetic::bfloat16), 312e12);
  EXPECT_EQ(a100.peak_flops.at(Arithmetic::tf32), 156e12);
  EXPECT_EQ(a100.memory_bytes, 80e9);
  EXPECT_EQ(a100.memory_bandwidth, 2039e9);
  const DeviceSpec v100 = library.device("V100");
  EXPECT_EQ(v100.peak_flops.at(Arithmetic::float16), 125e12);
  EXPECT_EQ(v100.peak_flops.count(Arithmetic::bfloat16), 0u) << "Volta has no bfloat16";
  // A K80 device is one GK210 die, half a board.
  const DeviceSpec k80 = library.device("K80");
  EXPECT_EQ(k80.memory_bytes, 12e9);
  EXPECT_EQ(k80.memory_bandwidth, 240e9);
  EXPECT_EQ(k80.peak_flops.at(Arithmetic::float32), 4.37e12);
  // GeForce tensor units run at half rate with the float32 accumulation that training needs.
  EXPECT_EQ(library.device("RTX 3090").peak_flops.at(Arithmetic::float16), 71e12);
}

TEST(DataFiles, CountEveryLinkOfTheCubeMeshes) {
  for (const auto& [system, lanes] : {std::pair<std::string, int>{"dgx1", 6}, {"v100x8-nvlink", 6}, {"dgx1-p100", 4}}) {
    std::vector<int> degree(8);
    const SystemFile file = read_system_file(system_path(system));
    for (const MeshEdge& edge : file.within_node.front().mesh) {
      degree[static_cast<std::size_t>(edge.a)] += edge.lanes;
      degree[static_cast<std::size_t>(edge.b)] += edge.lanes;
    }
    EXPECT_THAT(degree, testing::Each(lanes)) << system;
  }
}

}  // namespace
}  // namespace dtbench
