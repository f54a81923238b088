#include "engine/runtime/progress_counter.h"

#include <gtest/gtest.h>

#include <thread>

namespace dtbench {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

const WaitPolicy kPolicies[] = {{0ns, 0ns}, {20us, 0ns}, {0ns, 20us}, {20us, 20us}, {1h, 0ns}};

TEST(ProgressCounter, EndsAWaitWhenTheCountIsReached) {
  for (const WaitPolicy& policy : kPolicies) {
    ProgressCounter counter;
    int written = 0;
    std::thread other([&] {
      std::this_thread::sleep_for(2ms);
      counter.advance();
      std::this_thread::sleep_for(2ms);
      written = 7;
      counter.advance();
    });
    EXPECT_EQ(counter.wait(2, policy, Deadline::max()), WaitOutcome::reached);
    EXPECT_EQ(written, 7);
    other.join();
  }
}

TEST(ProgressCounter, LosesNoWakeUpBetweenTwoThatTakeTurns) {
  constexpr std::uint32_t kTurns = 2000;
  for (const WaitPolicy& policy : {kPolicies[0], kPolicies[1], kPolicies[2]}) {
    ProgressCounter ping, pong;
    std::thread other([&] {
      for (std::uint32_t i = 1; i <= kTurns; ++i) {
        ping.wait(i, policy, Deadline::max());
        pong.advance();
      }
    });
    for (std::uint32_t i = 1; i <= kTurns; ++i) {
      ping.advance();
      ASSERT_EQ(pong.wait(i, policy, Clock::now() + 60s), WaitOutcome::reached);
    }
    other.join();
  }
}

TEST(ProgressCounter, TimesOutNotBeforeTheDeadline) {
  const ProgressCounter counter;
  const auto deadline = Clock::now() + 10ms;
  EXPECT_EQ(counter.wait(1, {1us, 1us}, deadline), WaitOutcome::timed_out);
  EXPECT_GE(Clock::now(), deadline);
}

TEST(ProgressCounter, InterruptEndsPresentAndLaterWaitsButNotReachedOnes) {
  for (const WaitPolicy& policy : kPolicies) {
    ProgressCounter counter;
    counter.advance();
    std::thread other([&] {
      std::this_thread::sleep_for(2ms);
      counter.interrupt();
    });
    EXPECT_EQ(counter.wait(2, policy, Deadline::max()), WaitOutcome::interrupted);
    other.join();
    EXPECT_EQ(counter.wait(2, policy, Deadline::max()), WaitOutcome::interrupted);
    EXPECT_EQ(counter.wait(1, policy, Deadline::max()), WaitOutcome::reached);
    EXPECT_EQ(counter.value(), 1u);
  }
}

TEST(ProgressCounter, HasReachedEverythingInTheHalfBehindIt) {
  ProgressCounter counter;
  for (int i = 0; i < 5; ++i) counter.advance();
  EXPECT_TRUE(counter.reached(5));
  EXPECT_FALSE(counter.reached(6));
  EXPECT_TRUE(counter.reached(5u - (1u << 29)));  // long before, across the wrap
  EXPECT_FALSE(counter.reached(5u + (1u << 29)));
}

}  // namespace
}  // namespace dtbench
