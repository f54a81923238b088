#include "engine/runtime/collective_timing.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/fake_backend.h"
#include "topologies/base/error.h"

namespace dtbench {
namespace {

TEST(CollectiveTiming, ReturnsTheMedianOfEachSizeInOrder) {
  const FakeBackend backend;
  CollectiveTimingRequest request{{1, 3}, "ring"};
  request.bytes = {1 << 20, 8, 0};
  request.repetitions = 5;
  const auto timings = time_collective(backend, request);
  ASSERT_EQ(timings.size(), 3u);
  for (std::size_t i = 0; i < timings.size(); ++i) {
    EXPECT_EQ(timings[i].bytes, request.bytes[i]);
    ASSERT_EQ(timings[i].samples.size(), 5u);
    EXPECT_TRUE(std::is_sorted(timings[i].samples.begin(), timings[i].samples.end()));
    EXPECT_EQ(timings[i].seconds, timings[i].samples[2]);
    EXPECT_GT(timings[i].samples[0], 0);
  }
  EXPECT_GT(timings[0].seconds, timings[1].seconds);
}

TEST(CollectiveTiming, RunsOnTheCommunicationStreams) {
  FakeBackend backend;
  std::atomic<int> communication{0}, other{0};
  backend.settings().on_enter = [&](int, Stream stream) {
    ++(stream == Stream::communication ? communication : other);
  };
  CollectiveTimingRequest request{{2, 2}, "hierarchical"};
  request.bytes = {64};
  request.repetitions = 1;
  time_collective(backend, request);
  EXPECT_EQ(communication, 4);
  EXPECT_EQ(other, 0);
}

TEST(CollectiveTiming, RefusesMoreMembersThanDevices) {
  const FakeBackend backend(2);
  CollectiveTimingRequest request{{1, 3}, "ring"};
  request.bytes = {64};
  EXPECT_THROW(time_collective(backend, request), Error);
}

}  // namespace
}  // namespace dtbench
