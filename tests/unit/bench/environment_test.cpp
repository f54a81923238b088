#include "bench/environment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/run_findings.h"
#include "tests/unit/topologies/fake_host_probe.h"

namespace dtbench {
namespace {

using ::testing::HasSubstr;

TEST(DescribeEnvironment, FillsEveryCondition) {
  const Environment environment = describe_environment(FakeHostProbe(8).facts());
  for (const char* key :
       {"version", "date", "cpu", "cores", "isa", "kernel", "compiler", "onednn", "simgrid", "hwloc", "load_average"}) {
    ASSERT_EQ(environment.count(key), 1u) << key;
    EXPECT_NE(environment.at(key), "") << key;
    EXPECT_NE(environment.at(key), "unknown") << key;
  }
  EXPECT_EQ(environment.at("cores"), "8");
  EXPECT_THAT(environment.at("date"), ::testing::MatchesRegex("....-..-..T..:..:..Z"));
}

TEST(ThisCommand, IsTheCommandOfThisProcess) { EXPECT_THAT(this_command(), HasSubstr("bench_test")); }

TEST(AvailableMemory, IsPositiveAndFinite) {
  EXPECT_GT(available_memory_bytes(), 1e6);
  EXPECT_LT(available_memory_bytes(), 1e15);
}

TEST(RecordDisturbance, MarksTheConditions) {
  Environment environment;
  record_disturbance(environment, {0.25, 0.125, 40, true});
  EXPECT_EQ(environment.at("disturbed"), "yes");
  EXPECT_EQ(environment.at("steal_fraction"), "0.250");
  EXPECT_EQ(environment.at("other_load_fraction"), "0.125");
  EXPECT_EQ(environment.at("involuntary_switches_per_second"), "40");
}

TEST(ExitCode, IsRegressedOnlyForErrors) {
  EXPECT_EQ(exit_code({}), ExitCode::good);
  EXPECT_EQ(exit_code({{"a", "warning", "", {}}, {"b", "info", "", {}}}), ExitCode::good);
  EXPECT_EQ(exit_code({{"a", "info", "", {}}, {"b", "error", "", {}}}), ExitCode::regressed);
}

}  // namespace
}  // namespace dtbench
