#include "topologies/host_topology.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/error_message.h"
#include "tests/unit/topologies/fake_host_probe.h"

namespace dtbench {
namespace {

TEST(HostTopology, DividesCoresAndMemoryAmongDevices) {
  const Topology host = host_topology(FakeHostProbe(8).facts(), 2);
  EXPECT_EQ(host.spec, "host");
  EXPECT_EQ(host.devices(), 4);
  EXPECT_EQ(host.device.kind, DeviceKind::cpu);
  EXPECT_EQ(host.device.architecture, "avx2");
  EXPECT_DOUBLE_EQ(host.device.memory_bytes, 64e9 / 4);
  EXPECT_EQ(host.within_node.wiring, Wiring::shared_memory);
  EXPECT_EQ(host.within_node.link_class, "shared-memory");
  EXPECT_FALSE(host.between_nodes);
}

TEST(HostTopology, LeavesRatesToTheCalibration) {
  const Topology host = host_topology(FakeHostProbe().facts(), 1);
  EXPECT_TRUE(host.device.peak_flops.empty());
  EXPECT_EQ(host.device.memory_bandwidth, 0);
  EXPECT_GT(host.within_node.bandwidth, 0) << "the efficiency of a calibration refers to it";
  EXPECT_EQ(host.within_node.sources.count("bandwidth_bytes_per_second"), 1u);
}

TEST(HostTopology, SaysHowItDividedAndWhatIsLeftOver) {
  EXPECT_THAT(host_topology(FakeHostProbe(8).facts(), 3).assumptions,
              testing::ElementsAre("a device is 3 of the 8 usable cores of Imagined CPU", "2 cores are left over"));
}

TEST(HostTopology, RefusesMoreThreadsThanCores) {
  for (const int threads : {0, -1, 9})
    EXPECT_EQ(message_of([&] { host_topology(FakeHostProbe(8).facts(), threads); }),
              "topology 'host': " + std::to_string(threads) +
                  " threads per device; expected 1..8, the cores this process may use");
}

}  // namespace
}  // namespace dtbench
