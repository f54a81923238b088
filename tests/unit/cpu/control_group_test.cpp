#include "engine/cpu/control_group.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

namespace dtbench {
namespace {

namespace fs = std::filesystem;

/// A made-up root with proc/ and sys/.
class ControlGroup : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = fs::temp_directory_path() / "control_group_XXXXXX";
    root_ = mkdtemp(name.data());
  }
  void TearDown() override { fs::remove_all(root_); }
  void file(const fs::path& path, const std::string& text) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  fs::path root_;
};

TEST_F(ControlGroup, LimitsNothingWhereThereIsNone) {
  const ControlGroupLimits limits = control_group_limits(root_);
  EXPECT_TRUE(std::isinf(limits.cpus));
  EXPECT_TRUE(std::isinf(limits.memory_bytes));
}

TEST_F(ControlGroup, ReadsTheTightestOfTheGroupAndItsAncestors) {
  file("proc/self/cgroup", "0::/machine/box\n");
  file("sys/fs/cgroup/machine/cpu.max", "150000 100000\n");
  file("sys/fs/cgroup/machine/box/cpu.max", "max 100000\n");
  file("sys/fs/cgroup/machine/memory.max", "max\n");
  file("sys/fs/cgroup/machine/box/memory.max", "1000000\n");
  const ControlGroupLimits limits = control_group_limits(root_);
  EXPECT_EQ(limits.cpus, 1.5);
  EXPECT_EQ(limits.memory_bytes, 1e6);
}

TEST_F(ControlGroup, ReadsVersionOne) {
  file("proc/self/cgroup", "4:memory:/docker/1\n3:cpu,cpuacct:/docker/1\n0::/\n");
  file("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "250000\n");
  file("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  file("sys/fs/cgroup/memory/docker/1/memory.limit_in_bytes", "2000000\n");
  const ControlGroupLimits limits = control_group_limits(root_);
  EXPECT_EQ(limits.cpus, 2.5);
  EXPECT_EQ(limits.memory_bytes, 2e6);
}

TEST_F(ControlGroup, IgnoresNoQuotaInVersionOne) {
  file("proc/self/cgroup", "3:cpu,cpuacct:/\n");
  file("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  file("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  EXPECT_TRUE(std::isinf(control_group_limits(root_).cpus));
}

}  // namespace
}  // namespace dtbench
