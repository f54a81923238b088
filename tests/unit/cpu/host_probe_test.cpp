#include "engine/cpu/host_probe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "engine/cpu/affinity.h"
#include "engine/cpu/isa.h"

namespace dtbench {
namespace {

TEST(HostProbe, ReportsCoresThatThreadsCanBePinnedTo) {
  const HostFacts facts = make_host_probe()->facts();
  ASSERT_EQ(facts.cores, static_cast<int>(facts.core_cpus.size()));
  EXPECT_GE(facts.cores, 1);
  EXPECT_THAT(std::set<int>(facts.core_cpus.begin(), facts.core_cpus.end()), ::testing::SizeIs(facts.cores));
  const std::vector<int> before = cpus_of_this_thread();
  for (const int cpu : facts.core_cpus) EXPECT_TRUE(pin_this_thread({cpu})) << cpu;
  EXPECT_TRUE(pin_this_thread(before));
}

TEST(HostProbe, DescribesTheMachine) {
  const HostFacts facts = make_host_probe()->facts();
  EXPECT_FALSE(facts.cpu_name.empty());
  EXPECT_EQ(facts.isa, name_of(widest_isa()));
  EXPECT_GE(facts.numa_nodes, 1);
  EXPECT_GT(facts.memory_bytes, 64e6);
  EXPECT_LT(facts.last_level_cache_bytes, facts.memory_bytes);
}

// In a child process: the mask of a process is that of all its threads, and this one may have more.
TEST(HostProbe, RespectsTheAffinityMaskOfTheProcess) {
  const int last = make_host_probe()->facts().core_cpus.back();
  const auto probe_pinned = [last] {
    pin_this_thread({last});
    const HostFacts facts = make_host_probe()->facts();
    std::exit(facts.cores == 1 && facts.core_cpus == std::vector{last} ? 0 : 1);
  };
  if (std::getenv("OMP_PROC_BIND") != nullptr) GTEST_SKIP() << "OpenMP's places add to the mask";
  EXPECT_EXIT(probe_pinned(), ::testing::ExitedWithCode(0), "");
}

TEST(Isa, WidestIsAvailableAndNothingWiderIs) {
  EXPECT_TRUE(is_available(Isa::baseline));
  EXPECT_TRUE(is_available(widest_isa()));
  for (const Isa isa : kIsas) EXPECT_EQ(is_available(isa) && isa > widest_isa(), false) << name_of(isa);
}

}  // namespace
}  // namespace dtbench
