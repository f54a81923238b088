#include "topologies/system_file.h"

#include <gtest/gtest.h>

#include "tests/support/error_message.h"

namespace dtbench {
namespace {

DeviceFile card(std::string form_factor, std::string host_interface, bool peer_to_peer = true) {
  DeviceFile file;
  file.device.name = "Card-8GB";
  file.form_factor = std::move(form_factor);
  file.host_interface = std::move(host_interface);
  file.default_system = "elsewhere";
  file.peer_to_peer = peer_to_peer;
  return file;
}

SystemFile server() {
  SystemFile system;
  system.name = "server";
  system.devices = {"PCIe"};
  system.max_devices_per_node = 8;
  system.single_socket_up_to = 4;
  for (const char* link_class : {"pcie3", "pcie4"}) {
    Tier tier;
    tier.link_class = link_class;
    tier.wiring = Wiring::pcie_tree;
    tier.pcie = {1, 2, 40e9, true, 60e9};
    system.within_node.push_back(tier);
  }
  return system;
}

TEST(SystemFile, AcceptsByNameFormFactorAndDefault) {
  SystemFile system = server();
  EXPECT_TRUE(system.accepts(card("PCIe", "pcie3")));
  EXPECT_FALSE(system.accepts(card("SXM4", "pcie4")));
  system.devices = {"Card-8GB"};
  EXPECT_TRUE(system.accepts(card("SXM4", "pcie4")));
  DeviceFile at_home = card("SXM9", "pcie4");
  at_home.device.name = "Other";
  EXPECT_FALSE(system.accepts(at_home));
  at_home.default_system = "server";
  EXPECT_TRUE(system.accepts(at_home));
}

TEST(SystemFile, PicksTheTierOfTheHostInterface) {
  EXPECT_EQ(server().tier_for(card("PCIe", "pcie4"), 8).link_class, "pcie4");
  EXPECT_EQ(message_of([] { server().tier_for(card("PCIe", "pcie9"), 8); }), "system 'server': no wiring for pcie9");
  SystemFile one = server();
  one.within_node.resize(1);
  EXPECT_EQ(one.tier_for(card("PCIe", "pcie9"), 8).link_class, "pcie3");
}

TEST(SystemFile, PutsFewDevicesOnOneSocket) {
  const Tier few = server().tier_for(card("PCIe", "pcie3"), 4), many = server().tier_for(card("PCIe", "pcie3"), 5);
  EXPECT_EQ(few.pcie.sockets, 1);
  EXPECT_EQ(few.pcie.socket_bandwidth, 0);
  EXPECT_EQ(many.pcie.sockets, 2);
  EXPECT_EQ(many.pcie.socket_bandwidth, 40e9);
}

TEST(SystemFile, StagesThroughTheHostUnlessSystemAndDeviceCanDoWithout) {
  EXPECT_TRUE(server().tier_for(card("PCIe", "pcie3"), 2).pcie.peer_to_peer);
  EXPECT_FALSE(server().tier_for(card("PCIe", "pcie3", false), 2).pcie.peer_to_peer);
  SystemFile staged = server();
  for (Tier& tier : staged.within_node) tier.pcie.peer_to_peer = false;
  EXPECT_FALSE(staged.tier_for(card("PCIe", "pcie3"), 2).pcie.peer_to_peer);
}

TEST(SystemFile, PutsTheBridgeOfTheDeviceOverPairs) {
  SystemFile bridged = server();
  bridged.bridged_pairs = true;
  DeviceFile worn = card("PCIe", "pcie4");
  EXPECT_EQ(message_of([&] { bridged.tier_for(worn, 4); }),
            "system 'server': Card-8GB takes no NVLink bridge; expected a card with a bridge "
            "(Card-8GB stands in 'elsewhere')");
  worn.bridge = Bridge{"Bridge", "bridge", 50e9, 1e-6};
  const Tier pair = bridged.tier_for(worn, 2), more = bridged.tier_for(worn, 3);
  EXPECT_EQ(pair.link_class, "bridge");
  EXPECT_EQ(pair.wiring, Wiring::all_to_all);
  EXPECT_EQ(pair.bandwidth, 50e9);
  EXPECT_EQ(more.link_class, "pcie4");
  EXPECT_EQ(more.pcie.bridge_bandwidth, 50e9);
  EXPECT_EQ(server().tier_for(worn, 3).pcie.bridge_bandwidth, 0);
}

TEST(SystemFile, KeepsMeshEdgesAmongTheDevicesThere) {
  SystemFile system = server();
  system.within_node.resize(1);
  system.within_node[0].wiring = Wiring::mesh;
  system.within_node[0].mesh = {{0, 1, 1}, {1, 2, 2}, {3, 0, 1}};
  EXPECT_EQ(system.tier_for(card("PCIe", "pcie3"), 3).mesh, (std::vector<MeshEdge>{{0, 1, 1}, {1, 2, 2}}));
}

}  // namespace
}  // namespace dtbench
