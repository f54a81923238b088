#include "bench/host_work.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/topologies/fake_host_probe.h"

namespace dtbench {
namespace {

using ::testing::HasSubstr;

RunSpec small_request() {
  RunSpec spec;
  spec.topology = "8xA100";
  spec.model_options = {{"hidden", 32}, {"layers", 1}};
  spec.batch_per_replica = 64;
  spec.devices = {8};
  return spec;
}

std::vector<int> devices_of(const HostWork& work) {
  std::vector<int> devices;
  for (const PlannedPoint& point : work.planned) devices.push_back(point.devices);
  return devices;
}

TEST(PlanHostWork, RunsWhatIsAskedOfAnotherMachineOnEveryCountOfCores) {
  const HostWork work = plan_host_work(small_request(), FakeHostProbe(4), 10);
  EXPECT_EQ(devices_of(work), (std::vector<int>{1, 2, 4}));
  EXPECT_EQ(work.threads_per_replica, 1);
  EXPECT_EQ(work.planned.back().plan.batch_per_replica, 64);
  EXPECT_EQ(work.reason, "");
  EXPECT_EQ(work.reduced, "");
}

TEST(PlanHostWork, DropsAnchorAndCalibrationOfTheOtherMachine) {
  RunSpec spec = small_request();
  spec.calibration = "a100.json";
  spec.anchor = Anchor{};
  const HostWork work = plan_host_work(spec, FakeHostProbe(4), 10);
  EXPECT_FALSE(work.spec.calibration);
  EXPECT_FALSE(work.spec.anchor);
}

TEST(PlanHostWork, KeepsTheCountsAskedOfTheHostItself) {
  RunSpec spec = small_request();
  spec.topology = "host";
  spec.devices = {1, 2};
  const HostWork work = plan_host_work(spec, FakeHostProbe(8), 10);
  EXPECT_EQ(devices_of(work), (std::vector<int>{1, 2}));
  EXPECT_EQ(work.threads_per_replica, 4);
}

TEST(PlanHostWork, SkipsCountsThatDoNotDivideTheGlobalBatch) {
  RunSpec spec = small_request();
  spec.batch_per_replica.reset();
  spec.global_batch = 40;  // divides by 8, as asked, but not by 6
  EXPECT_EQ(devices_of(plan_host_work(spec, FakeHostProbe(6), 10)), (std::vector<int>{1, 2, 4}));
}

TEST(PlanHostWork, HalvesABatchThatCannotEndInTime) {
  RunSpec spec = small_request();
  spec.model_options = {{"hidden", 4096}, {"layers", 4}};
  spec.batch_per_replica = 4096;
  const HostWork work = plan_host_work(spec, FakeHostProbe(1), 0.5);
  ASSERT_FALSE(work.planned.empty());
  EXPECT_LT(work.planned.front().plan.batch_per_replica, 4096);
  EXPECT_THAT(work.reduced, HasSubstr("instead of batch per replica 4096"));
  EXPECT_THAT(work.reduced, HasSubstr("measuring takes at least"));
}

TEST(PlanHostWork, SaysWhyAModelFitsAtNoBatch) {
  RunSpec spec = small_request();
  spec.model_options = {{"hidden", 300000}, {"layers", 20}};
  const HostWork work = plan_host_work(spec, FakeHostProbe(4), 1e9);
  EXPECT_TRUE(work.planned.empty());
  EXPECT_THAT(work.reason, HasSubstr("of memory"));
}

TEST(ShrinkUntilPossible, StopsAtTheFirstBatchWithoutObstacle) {
  HostWork work = plan_host_work(small_request(), FakeHostProbe(2), 10);
  shrink_until_possible(
      work, [](const HostWork& now) { return now.planned.front().plan.batch_per_replica > 16 ? "too slow" : ""; });
  EXPECT_EQ(work.planned.front().plan.batch_per_replica, 16);
  EXPECT_THAT(work.reduced, HasSubstr("too slow"));
}

TEST(ShrinkUntilPossible, EndsWhenTheBatchCannotBeHalved) {
  HostWork work = plan_host_work(small_request(), FakeHostProbe(2), 10);
  int asked = 0;
  shrink_until_possible(work, [&](const HostWork&) { return "obstacle " + std::to_string(asked++); });
  EXPECT_TRUE(work.planned.empty());
  EXPECT_THAT(work.reason, HasSubstr("obstacle 0"));
  EXPECT_EQ(asked, 7);  // 64, 32, 16, 8, 4, 2, 1
}

}  // namespace
}  // namespace dtbench
