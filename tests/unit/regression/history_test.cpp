#include "reports/regression/history.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace dtbench {
namespace {

std::vector<SessionValue> sessions(std::size_t n, double spread, std::mt19937_64& random) {
  std::normal_distribution<double> normal(0, spread);
  std::vector<SessionValue> values(n);
  for (SessionValue& value : values) value = {normal(random), 0.001};
  return values;
}

TEST(History, FalseAlarmsOfOneMoreSessionAreAtMostOnePercent) {
  std::mt19937_64 random(1);
  for (const std::size_t n : {5u, 10u, 20u}) {
    int alarms = 0;
    constexpr int kRounds = 1500;
    for (int round = 0; round < kRounds; ++round) {
      const auto values = sessions(n + 1, 0.03, random);
      const Baseline baseline = pool_sessions(std::span(values).first(n), 0.03, {});
      const SessionTest test = test_session(values[n].log_median, baseline, 0.9);
      alarms += test.shift > std::log1p(0.03) && test.p_value <= 0.01;  // for the worse: half of 1 % is expected
    }
    EXPECT_LE(alarms, 0.01 * kRounds) << n;
  }
}

TEST(History, OneNoisyRunDoesNotPoisonTheBaseline) {
  std::mt19937_64 random(2);
  auto values = sessions(10, 0.005, random);
  const Baseline clean = pool_sessions(values, 0.03, {});
  values[6].log_median = std::log(1.4);
  const Baseline noisy = pool_sessions(values, 0.03, {});
  EXPECT_EQ(noisy.set_aside, std::vector<std::size_t>{6});
  EXPECT_EQ(noisy.first_of_level, 0u);
  EXPECT_NEAR(noisy.centre, clean.centre, 0.003);
  EXPECT_LT(noisy.spread, 2 * clean.spread);
  EXPECT_LE(test_session(std::log(1.05), noisy, 0.9).p_value, 0.01);
}

TEST(History, FindsAStepAndRestsOnWhatCameAfter) {
  std::mt19937_64 random(3);
  auto values = sessions(14, 0.005, random);
  for (std::size_t i = 8; i < values.size(); ++i) values[i].log_median += std::log(1.1);
  const Baseline baseline = pool_sessions(values, 0.03, {});
  EXPECT_EQ(baseline.first_of_level, 8u);
  EXPECT_NEAR(baseline.step, std::log(1.1), 0.01);
  EXPECT_NEAR(baseline.centre, std::log(1.1), 0.01);
  EXPECT_EQ(baseline.sessions, 6u);
  EXPECT_GT(test_session(std::log(1.1), baseline, 0.9).p_value, 0.05);
}

TEST(History, StepsAreRarelySeenWhereThereIsNone) {
  std::mt19937_64 random(4);
  int steps = 0;
  constexpr int kRounds = 150;
  for (int round = 0; round < kRounds; ++round)
    steps += pool_sessions(sessions(12, 0.05, random), 0.03, {}).first_of_level > 0;
  EXPECT_LE(steps, 0.02 * kRounds + 3 * std::sqrt(0.02 * kRounds));
}

TEST(History, NoisierMetricsGetWiderGates) {
  std::mt19937_64 random(5);
  const Baseline quiet = pool_sessions(sessions(10, 0.009, random), 0.03, {});
  const Baseline loud = pool_sessions(sessions(10, 0.096, random), 0.03, {});
  const double quiet_gate = session_gate(quiet, 0.03, 0.01), loud_gate = session_gate(loud, 0.03, 0.01);
  EXPECT_LT(quiet_gate, 0.06);
  EXPECT_GT(loud_gate, 0.15);
  EXPECT_EQ(session_gate(quiet, 0.25, 0.01), 0.25);  // never below what matters
}

TEST(History, DriftIsSaid) {
  std::vector<SessionValue> values;
  for (int i = 0; i < 12; ++i) values.push_back({0.002 * i + 0.0005 * (i % 3), 0.001});
  const Baseline baseline = pool_sessions(values, 0.03, {});
  EXPECT_LE(baseline.trend_p_value, 0.01);
  EXPECT_NEAR(baseline.trend, 0.022, 0.003);
}

}  // namespace
}  // namespace dtbench
