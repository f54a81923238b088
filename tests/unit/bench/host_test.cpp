#include "bench/host.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/error_message.h"
#include "tests/unit/topologies/fake_host_probe.h"

namespace dtbench {
namespace {

using ::testing::HasSubstr;

RunSpec with_devices(std::vector<int> devices) {
  RunSpec spec;
  spec.devices = std::move(devices);
  return spec;
}

TEST(ThreadsPerReplica, DealOutTheCoresForTheLargestCount) {
  const HostFacts facts = FakeHostProbe(8).facts();
  EXPECT_EQ(threads_per_replica(with_devices({1, 2}), facts), 4);
  EXPECT_EQ(threads_per_replica(with_devices({3}), facts), 2);
  EXPECT_EQ(threads_per_replica(with_devices({}), facts), 1);  // as many replicas as cores
  EXPECT_EQ(threads_per_replica(with_devices({100}), facts), 1);
}

TEST(ThreadsPerReplica, AreAllCoresForTheStrategySingle) {
  RunSpec spec;
  spec.strategy = "single";
  EXPECT_EQ(threads_per_replica(spec, FakeHostProbe(8).facts()), 8);
}

TEST(ThreadsPerReplica, AreWhatWasAskedUpToTheCores) {
  RunSpec spec;
  spec.threads_per_replica = 8;
  EXPECT_EQ(threads_per_replica(spec, FakeHostProbe(8).facts()), 8);
  EXPECT_THAT(message_of([&] { threads_per_replica(spec, FakeHostProbe(7).facts()); }), HasSubstr("7 core(s)"));
}

TEST(ResolveTopology, CountsHostDevicesInReplicas) {
  EXPECT_EQ(resolve_topology(with_devices({1, 2}), FakeHostProbe(8)).devices(), 2);
  EXPECT_EQ(resolve_topology(with_devices({}), FakeHostProbe(8)).devices(), 8);
}

TEST(ConditionFindings, NameEachFieldThatDiffers) {
  HostFacts facts = FakeHostProbe(8).facts();
  Calibration calibration;
  calibration.conditions = host_conditions(facts, 1);
  EXPECT_TRUE(condition_findings(calibration, host_conditions(facts, 1)).empty());

  facts.isa = "sse2";
  const auto findings = condition_findings(calibration, host_conditions(facts, 2));
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].severity, "warning");
  EXPECT_THAT(findings[0].text, HasSubstr("isa avx2 (here sse2)"));
  EXPECT_THAT(findings[0].text, HasSubstr("threads_per_replica 1 (here 2)"));
  EXPECT_THAT(findings[0].text, ::testing::Not(HasSubstr("cpu")));
}

TEST(ConditionFindings, SayWhatWasNotRecorded) {
  const auto findings = condition_findings(Calibration{}, host_conditions(FakeHostProbe(8).facts(), 1));
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_THAT(findings[0].text, HasSubstr("cpu not recorded"));
}

}  // namespace
}  // namespace dtbench
