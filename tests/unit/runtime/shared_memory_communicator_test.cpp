#include "engine/runtime/shared_memory_communicator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <thread>

#include "engine/collectives/algorithm.h"
#include "engine/runtime/visit_dtype.h"

namespace dtbench {
namespace {

using namespace std::chrono_literals;

/// Every member's buffer, filled with seeded values, and their sum in float64.
template <typename Real>
class Members {
 public:
  Members(int members, std::int64_t elements, unsigned seed)
      : elements_(elements), sum_(static_cast<std::size_t>(elements), 0.0) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    values_.resize(static_cast<std::size_t>(members));
    for (auto& values : values_) {
      for (double& sum : sum_) {
        values.push_back(static_cast<Real>(uniform(random)));
        sum += static_cast<double>(values.back());
      }
    }
  }

  std::vector<Buffer> buffers() {
    std::vector<Buffer> result;
    for (auto& values : values_) result.push_back({values.data(), {elements_}, dtype_of<Real>});
    return result;
  }

  double largest_error() const {
    double error = 0;
    for (const auto& values : values_)
      for (std::size_t i = 0; i < values.size(); ++i)
        error = std::max(error, std::abs(static_cast<double>(values[i]) - sum_[i]));
    return error;
  }

  const std::vector<Real>& values(int member) const { return values_[static_cast<std::size_t>(member)]; }

 private:
  std::int64_t elements_;
  std::vector<std::vector<Real>> values_;
  std::vector<double> sum_;
};

void on_threads(int count, const std::function<void(int)>& job) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back(job, i);
  for (std::thread& thread : threads) thread.join();
}

std::vector<GroupShape> shapes_of(int ranks) {
  std::vector<GroupShape> shapes;
  for (int nodes = 1; nodes <= ranks; ++nodes)
    if (ranks % nodes == 0) shapes.push_back({nodes, ranks / nodes});
  return shapes;
}

template <typename Real>
void expect_all_reduce_sums(double tolerance_per_rank) {
  for (const CollectiveAlgorithm& algorithm : collective_algorithms()) {
    for (int ranks = 1; ranks <= 9; ++ranks) {
      for (const GroupShape shape : shapes_of(ranks)) {
        if (!algorithm.supports(CollectiveKind::all_reduce, shape)) continue;
        const Schedule schedule = algorithm.schedule(CollectiveKind::all_reduce, shape);
        for (const std::int64_t elements : {0, 1, 1023, 100000}) {
          SCOPED_TRACE(testing::Message() << algorithm.name << " " << shape.nodes << "x" << shape.per_node << ", "
                                          << elements << " elements, seed " << ranks);
          Members<Real> members(ranks, elements, static_cast<unsigned>(ranks));
          SharedMemoryCommunicator communicator(ranks, 60);
          const auto collective = communicator.bind(schedule, members.buffers());
          on_threads(ranks, [&](int member) { collective->run(member); });
          ASSERT_LE(members.largest_error(), tolerance_per_rank * ranks);
        }
      }
    }
  }
}

TEST(SharedMemoryCommunicator, AllReducesFloatsLikeAFloat64Sum) { expect_all_reduce_sums<float>(1e-6); }
TEST(SharedMemoryCommunicator, AllReducesDoublesLikeAFloat64Sum) { expect_all_reduce_sums<double>(1e-15); }
// Sums of up to 9 numbers below 1, each hop rounded to 8 and to 11 bits.
TEST(SharedMemoryCommunicator, AllReducesSixteenBitsRoundingEachHop) {
  expect_all_reduce_sums<Bfloat16>(9 * 0x1p-9);
  expect_all_reduce_sums<Float16>(9 * 0x1p-12);
}

// Each member writes its buffer right after its own call and calls again at once: wrong as soon as a member leaves
// while a peer still reads.
TEST(SharedMemoryCommunicator, GivesTheBufferBackOnlyWhenNobodyReadsItAnyMore) {
  constexpr int kRanks = 3, kCalls = 300;
  constexpr std::int64_t kElements = 301;
  const Schedule schedule = collective_algorithm("ring").schedule(CollectiveKind::all_reduce, {1, kRanks});
  std::vector<std::vector<float>> values(kRanks, std::vector<float>(kElements));
  std::vector<Buffer> buffers;
  for (auto& own : values) buffers.push_back({own.data(), {kElements}, DType::float32});
  SharedMemoryCommunicator communicator(kRanks, 60);
  const auto collective = communicator.bind(schedule, buffers);
  std::atomic<int> wrong{0};
  on_threads(kRanks, [&](int member) {
    auto& own = values[static_cast<std::size_t>(member)];
    for (int call = 0; call < kCalls; ++call) {
      std::fill(own.begin(), own.end(), static_cast<float>(call + member));
      collective->run(member);
      const float sum = 3.0f * static_cast<float>(call) + 3.0f;
      wrong += static_cast<int>(std::count_if(own.begin(), own.end(), [&](float value) { return value != sum; }));
    }
  });
  EXPECT_EQ(wrong.load(), 0);
}

TEST(SharedMemoryCommunicator, RunsDifferentCollectivesInTurnWithOneCommunicator) {
  const Schedule ring = collective_algorithm("ring").schedule(CollectiveKind::all_reduce, {1, 2});
  Members<float> small(2, 5, 1), large(2, 7000, 2);
  SharedMemoryCommunicator communicator(2, 60);
  const auto first = communicator.bind(ring, small.buffers());
  const auto second = communicator.bind(ring, large.buffers());
  on_threads(2, [&](int member) {
    first->run(member);
    second->run(member);
  });
  EXPECT_LE(small.largest_error(), 1e-6);
  EXPECT_LE(large.largest_error(), 1e-6);
}

TEST(SharedMemoryCommunicator, ATimeOutNamesEveryMemberThatDidNotCome) {
  constexpr int kRanks = 5;
  Members<float> members(kRanks, 64, 1);
  SharedMemoryCommunicator communicator(kRanks, 0.05);
  const auto collective = communicator.bind(
      collective_algorithm("ring").schedule(CollectiveKind::all_reduce, {1, kRanks}), members.buffers());
  std::atomic<int> right{0};
  on_threads(kRanks, [&](int member) {
    if (member == 1 || member == 3) return;
    try {
      collective->run(member);
    } catch (const MembersMissing& missing) {
      right += missing.members() == std::vector<int>{1, 3};
    }
  });
  EXPECT_EQ(right.load(), 3);
}

TEST(SharedMemoryCommunicator, AbortEndsPresentAndLaterRunsAndTellsWhy) {
  constexpr int kRanks = 4;
  Members<float> members(kRanks, 64, 1);
  SharedMemoryCommunicator communicator(kRanks, 60);
  const auto collective = communicator.bind(
      collective_algorithm("ring").schedule(CollectiveKind::all_reduce, {1, kRanks}), members.buffers());
  std::atomic<int> told{0};
  on_threads(kRanks, [&](int member) {
    if (member == 2) {
      std::this_thread::sleep_for(5ms);
      communicator.abort(2, "out of tea");
      communicator.abort(1, "a consequence");
    }
    try {
      collective->run(member);
    } catch (const Error& error) {
      told += std::string(error.what()) == "collective: member 2 failed: out of tea";
    }
  });
  EXPECT_EQ(told.load(), kRanks);
}

std::string bind_error(const std::vector<Buffer>& buffers) {
  SharedMemoryCommunicator communicator(2, 1);
  try {
    communicator.bind(collective_algorithm("ring").schedule(CollectiveKind::all_reduce, {1, 2}), buffers);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(SharedMemoryCommunicator, RefusesBuffersThatDoNotMatchOrCannotBeAdded) {
  std::vector<std::byte> memory(64);
  const Buffer four{memory.data(), {4}, DType::float32}, five{memory.data(), {5}, DType::float32};
  const Buffer integers{memory.data(), {4}, DType::int32};
  EXPECT_EQ(bind_error({four, five}),
            "collective: buffers of 4 float32 and 5 float32; expected the same number and type of elements on every "
            "member");
  EXPECT_EQ(bind_error({integers, integers}), "collective: a sum of int32; expected a floating-point type");
}

}  // namespace
}  // namespace dtbench
