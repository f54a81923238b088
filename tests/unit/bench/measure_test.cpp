#include "bench/measure.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/bench/scripted_runner.h"

namespace dtbench {
namespace {

class MeasureInterleaved : public ::testing::Test {
 protected:
  const StepPlan plan_ = one_rank_plan();
  std::vector<std::string> log_;
  Progress progress_{true};
  const StoppingRule rule_{3, 6, 0.01};
};

TEST_F(MeasureInterleaved, TakesTurns) {
  ScriptedRunner a("a", log_, [](int) { return 0.2; }), b("b", log_, [](int) { return 0.3; });
  (void)measure_interleaved({{"a", &plan_, &a}, {"b", &plan_, &b}}, rule_, TimeBudget(1e6), progress_);
  EXPECT_EQ(log_, (std::vector<std::string>{"a", "b", "a", "b", "a", "b"}));
}

TEST_F(MeasureInterleaved, GoesOnOnlyWithWhatIsNotCertainYet) {
  ScriptedRunner steady("steady", log_, [](int) { return 0.2; });
  ScriptedRunner noisy("noisy", log_, [](int step) { return 0.2 + 0.1 * (step % 3); });
  const auto results =
      measure_interleaved({{"s", &plan_, &steady}, {"n", &plan_, &noisy}}, rule_, TimeBudget(1e6), progress_);
  EXPECT_EQ(results[0].turns.size(), 3u);
  EXPECT_EQ(results[1].turns.size(), 6u);
}

TEST_F(MeasureInterleaved, FillsATurnWithShortSteps) {
  ScriptedRunner fast("fast", log_, [](int) { return kTurnSeconds / 20; });
  const auto results = measure_interleaved({{"f", &plan_, &fast}}, rule_, TimeBudget(1e6), progress_);
  ASSERT_EQ(results[0].turns.size(), 3u);
  EXPECT_NEAR(fast.steps_run(), 1 + 3 * 20, 3);
}

TEST_F(MeasureInterleaved, DoesNotCountTheStepThatLoads) {
  ScriptedRunner cold("cold", log_, [](int step) { return step == 0 ? 0.04 : 0.01; });
  const auto results = measure_interleaved({{"c", &plan_, &cold}}, rule_, TimeBudget(1e6), progress_);
  for (const double seconds : results[0].step_seconds()) EXPECT_EQ(seconds, 0.01);
}

TEST_F(MeasureInterleaved, CountsEveryLongStep) {
  ScriptedRunner slow("slow", log_, [](int) { return 5.0; });
  const auto results = measure_interleaved({{"s", &plan_, &slow}}, rule_, TimeBudget(1e6), progress_);
  EXPECT_EQ(results[0].turns.size(), 3u);
  EXPECT_EQ(slow.steps_run(), 3);
}

TEST_F(MeasureInterleaved, LeavesOutWhatTheBudgetCannotLoad) {
  ScriptedRunner small("small", log_, [](int) { return 1e-4; }), huge("huge", log_, [](int) { return 1e3; });
  const auto results = measure_interleaved({{"huge", &plan_, &huge, 1e3}, {"small", &plan_, &small, 1e-4}}, rule_,
                                           TimeBudget(60), progress_);
  EXPECT_EQ(huge.steps_run(), 0);
  EXPECT_TRUE(results[0].turns.empty());
  EXPECT_FALSE(results[1].turns.empty());
}

TEST_F(MeasureInterleaved, RunsNothingWithoutTime) {
  ScriptedRunner a("a", log_, [](int) { return 0.1; });
  const auto results = measure_interleaved({{"a", &plan_, &a}}, rule_, TimeBudget(0), progress_);
  EXPECT_TRUE(log_.empty());
  EXPECT_TRUE(results[0].turns.empty());
}

TEST_F(MeasureInterleaved, KeepsTheParts) {
  ScriptedRunner a("a", log_, [](int) { return 0.4; });
  const auto results = measure_interleaved({{"a", &plan_, &a}}, rule_, TimeBudget(1e6), progress_);
  EXPECT_NEAR(results[0].measured(&Turn::step_seconds).value, 0.4, 1e-12);
  EXPECT_NEAR(results[0].measured(&Turn::compute_seconds).value, 0.2, 1e-12);
  EXPECT_NEAR(results[0].measured(&Turn::input_seconds).value, 0.1, 1e-12);
  EXPECT_NEAR(results[0].measured(&Turn::exposed_communication_seconds).value, 0.1, 1e-12);
}

TEST(TrialResult, ShowsTheTraceOfTheTypicalTurn) {
  TrialResult result;
  for (const double seconds : {1.0, 9.0, 2.0}) {
    Turn turn;
    turn.step_seconds = seconds;
    turn.trace = one_rank_trace(0, seconds, 0);
    result.turns.push_back(turn);
  }
  EXPECT_EQ(result.median_trace().step_seconds, 2.0);
  EXPECT_EQ(result.measured(&Turn::step_seconds).repetitions.size(), 3u);
}

}  // namespace
}  // namespace dtbench
