#include "engine/runtime/collective_timing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <set>
#include <thread>

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

// As in a session: memory is touched by the compute thread, the collective runs on the communication thread.
TEST(CollectiveTiming, RunsOnTheCommunicationStreams) {
  FakeBackend backend;
  std::mutex mutex;
  std::set<std::thread::id> communication, ran;
  backend.settings().on_enter = [&](int, Stream stream) {
    const std::lock_guard lock(mutex);
    if (stream == Stream::communication) communication.insert(std::this_thread::get_id());
  };
  backend.settings().on_collective = [&](int) {
    const std::lock_guard lock(mutex);
    ran.insert(std::this_thread::get_id());
  };
  CollectiveTimingRequest request{{2, 2}, "hierarchical"};
  request.bytes = {64};
  request.repetitions = 1;
  time_collective(backend, request);
  EXPECT_EQ(communication.size(), 4u);
  EXPECT_EQ(ran, communication);
}

TEST(CollectiveTiming, RefusesMoreMembersThanDevices) {
  const FakeBackend backend(2);
  CollectiveTimingRequest request{{1, 3}, "ring"};
  request.bytes = {64};
  EXPECT_THROW(time_collective(backend, request), Error);
}

}  // namespace
}  // namespace dtbench
