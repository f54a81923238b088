#include "engine/cpu/core_team.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <thread>

#include "engine/cpu/affinity.h"
#include "engine/cpu/host_probe.h"
#include "topologies/base/error.h"

namespace dtbench {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

/// `members` members on the cores of this machine, several a core where it has too few.
std::vector<int> cpus_for(int members) {
  const std::vector<int> cores = make_host_probe()->facts().core_cpus;
  std::vector<int> cpus;
  for (int m = 0; m < members; ++m) cpus.push_back(cores[static_cast<std::size_t>(m) % cores.size()]);
  return cpus;
}

/// On a thread of its own: pinning and team sizes stay there.
template <class Function>
void on_own_thread(Function function) {
  std::jthread thread(function);
}

TEST(CoreTeam, DealsOutEveryIndexOnce) {
  for (const int members : {1, 2, 3, 4}) {
    on_own_thread([members] {
      const CoreTeam team(cpus_for(members));
      team.lead();
      for (const std::int64_t count : {0, 1, 63, 64, 65, 128, 1000, 4097}) {
        for (const std::int64_t grain : {1, 16, 64}) {
          std::vector<std::atomic<int>> visits(static_cast<std::size_t>(count));
          team.split(count, grain, [&](const Piece& piece) {
            EXPECT_EQ(piece.first % grain, 0);
            EXPECT_LT(piece.member, members);
            for (auto i = piece.first; i < piece.last; ++i) ++visits[static_cast<std::size_t>(i)];
          });
          for (const auto& visit : visits) EXPECT_EQ(visit, 1) << members << " " << count << " " << grain;
        }
      }
    });
  }
}

TEST(CoreTeam, LeavesSmallWorkToTheCaller) {
  on_own_thread([] {
    const CoreTeam team(cpus_for(2));
    team.lead();
    int calls = 0;
    team.split(127, 64, [&](const Piece& piece) {
      ++calls;
      EXPECT_EQ(piece.last - piece.first, 127);
    });
    EXPECT_EQ(calls, 1);
  });
}

std::vector<std::vector<int>> masks_of_members(const CoreTeam& team) {
  std::vector<std::vector<int>> masks(static_cast<std::size_t>(team.size()));
  team.split(team.size(), 1,
             [&](const Piece& piece) { masks[static_cast<std::size_t>(piece.member)] = cpus_of_this_thread(); });
  return masks;
}

TEST(CoreTeam, PinsEveryMemberToItsCpu) {
  if (std::getenv("OMP_THREAD_LIMIT") != nullptr) GTEST_SKIP() << "OMP_THREAD_LIMIT leaves no team";
  on_own_thread([] {
    const std::vector<int> cpus = cpus_for(3);
    const CoreTeam team(cpus);
    team.lead();
    EXPECT_THAT(masks_of_members(team), ElementsAre(ElementsAre(cpus[0]), ElementsAre(cpus[1]), ElementsAre(cpus[2])));
  });
}

// libgomp ends the threads that a smaller region leaves out; those made later start with the master's mask.
TEST(CoreTeam, PinsMembersAnewAfterALibraryUsedFewer) {
  if (std::getenv("OMP_THREAD_LIMIT") != nullptr) GTEST_SKIP() << "OMP_THREAD_LIMIT leaves no team";
  on_own_thread([] {
    const std::vector<int> cpus = cpus_for(3);
    const CoreTeam team(cpus);
    team.lead();
#pragma omp parallel num_threads(2)
    {}
#pragma omp parallel num_threads(3)
    {}
    EXPECT_THAT(masks_of_members(team), ElementsAre(ElementsAre(cpus[0]), ElementsAre(cpus[1]), ElementsAre(cpus[2])));
  });
}

/// Threads of a region that the calling thread opens without asking for a number.
int default_team_size() {
  std::atomic<int> members = 0;
#pragma omp parallel
  ++members;
  return members;
}

TEST(CoreTeam, GivesCompanionsAllItsCpus) {
  on_own_thread([] {
    std::vector<int> cpus = cpus_for(2);
    CoreTeam(cpus).accompany();
    std::ranges::sort(cpus);
    cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
    EXPECT_EQ(cpus_of_this_thread(), cpus);
    EXPECT_EQ(default_team_size(), 1);
  });
}

TEST(CoreTeam, TeamsOfTwoMastersAreSeparate) {
  if (std::getenv("OMP_THREAD_LIMIT") != nullptr) GTEST_SKIP() << "OMP_THREAD_LIMIT leaves no team";
  on_own_thread([] {
    const CoreTeam large(cpus_for(3));
    large.lead();
    on_own_thread([] {
      const CoreTeam small(cpus_for(2));
      small.lead();
      EXPECT_EQ(default_team_size(), 2);
    });
    EXPECT_EQ(default_team_size(), 3);
  });
}

TEST(CoreTeam, SaysWhenTheSystemRefusesACpu) {
  on_own_thread([] {
    constexpr int kNoSuchCpu = 100000;
    EXPECT_THROW(CoreTeam({kNoSuchCpu}).lead(), Error);
    EXPECT_THROW(CoreTeam({kNoSuchCpu}).accompany(), Error);
  });
}

}  // namespace
}  // namespace dtbench
