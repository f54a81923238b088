// What the gate promises, on simulated noise: false alarms at 5 repetitions, a slow-down of 5 % found at the stated
// repetitions. Seeded; the limits leave three standard errors of the number of rounds.
#include <gtest/gtest.h>

#include <cmath>

#include "reports/regression/compare_samples.h"
#include "reports/regression/power.h"
#include "tests/unit/regression/simulated_noise.h"

namespace dtbench {
namespace {

CompareRequest quick_request() {
  CompareRequest request;
  request.rule.resamples = 1;  // the bootstrap decides nothing
  return request;
}

struct Sides {
  SampleFile base{"base.json", "test"}, changed{"new.json", "test"};
};

Sides simulate(const SimulatedNoise& noise, std::size_t repetitions, std::size_t metrics, double slow_down,
               std::mt19937_64& random) {
  Sides sides;
  for (std::size_t i = 0; i < metrics; ++i) {
    sides.base.metrics.push_back(simulated_session(noise, repetitions, 1, random));
    sides.changed.metrics.push_back(simulated_session(noise, repetitions, slow_down, random));
    sides.base.metrics.back().name = sides.changed.metrics.back().name = "metric" + std::to_string(i);
  }
  return sides;
}

double rate_of(Verdict verdict, const SimulatedNoise& noise, std::size_t repetitions, std::size_t metrics,
               double slow_down, int rounds, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  int count = 0;
  for (int round = 0; round < rounds; ++round) {
    const Sides sides = simulate(noise, repetitions, metrics, slow_down, random);
    count += compare_samples(sides.base, sides.changed, quick_request()).verdict == verdict ? 1 : 0;
  }
  return static_cast<double>(count) / rounds;
}

class Noise : public ::testing::TestWithParam<double> {};

TEST_P(Noise, FalseAlarmsAreAtMostOnePercentAtFiveRepetitions) {
  constexpr int kRounds = 4000;
  for (const std::size_t repetitions : {5u, 9u}) {
    const double rate = rate_of(Verdict::regressed, {.noise = GetParam()}, repetitions, 1, 1, kRounds, 11);
    RecordProperty("false_alarms_at_" + std::to_string(repetitions), std::to_string(rate));
    EXPECT_LE(rate, 0.01) << repetitions;
  }
}

TEST_P(Noise, FalseAlarmsOfManyMetricsTogetherAreAtMostOnePercent) {
  EXPECT_LE(rate_of(Verdict::regressed, {.noise = GetParam()}, 5, 12, 1, 1500, 12), 0.01);
  EXPECT_LE(rate_of(Verdict::regressed, {.noise = GetParam()}, 9, 12, 1, 1000, 13), 0.01);
}

struct Stated {
  double noise;
  std::size_t repetitions;  ///< README of reports/regression states these
};

class StatedRepetitions : public ::testing::TestWithParam<Stated> {};

TEST_P(StatedRepetitions, FindASlowDownOfFivePercent) {
  const double rate =
      rate_of(Verdict::regressed, {.noise = GetParam().noise}, GetParam().repetitions, 1, 1.05, 1000, 14);
  RecordProperty("found", std::to_string(rate));
  EXPECT_GE(rate, 0.95);
}

TEST_P(StatedRepetitions, AreNoFewerThanTheFormulaSays) {
  EXPECT_GE(GetParam().repetitions, repetitions_to_find(0.05, GetParam().noise, 0.01, 0.03));
}

TEST_P(StatedRepetitions, PassUnchangedCode) {
  const double rate =
      rate_of(Verdict::pass, {.noise = GetParam().noise, .drift = 0}, 2 * GetParam().repetitions, 1, 1, 300, 15);
  EXPECT_GE(rate, 0.9);
}

INSTANTIATE_TEST_SUITE_P(OneToFivePercent, Noise, ::testing::Values(0.01, 0.02, 0.03, 0.05));
INSTANTIATE_TEST_SUITE_P(Table, StatedRepetitions,
                         ::testing::Values(Stated{0.01, 12}, Stated{0.02, 16}, Stated{0.03, 30}, Stated{0.05, 75}));

TEST(Gate, FindsTwentyPercentWithNineRepetitions) {
  for (const double noise : {0.01, 0.03, 0.05})
    EXPECT_GE(rate_of(Verdict::regressed, {.noise = noise}, 9, 1, 1.2, 500, 16), 0.9);
}

TEST(Gate, MinimumDetectableChangeIsFoundAsOftenAsItSays) {
  constexpr std::size_t kRepetitions = 20;
  for (const double noise : {0.01, 0.03}) {
    const double change = minimum_detectable_change(error_of_shift(noise, kRepetitions, kRepetitions), 0.01, 0.03);
    const double rate = rate_of(Verdict::regressed, {.noise = noise, .outlier_chance = 0, .drift = 0}, kRepetitions, 1,
                                1 + change, 1500, 17);
    EXPECT_NEAR(rate, 0.95, 0.03) << noise;
  }
}

TEST(Gate, IsNotFooledByOneLongDrift) {
  // A machine that warms up by 2 % a repetition, base measured first: every repetition of the second is slower.
  std::mt19937_64 random(18);
  std::normal_distribution<double> normal;
  int alarms = 0, rounds = 500;
  for (int round = 0; round < rounds; ++round) {
    Sides sides;
    sides.base.metrics = sides.changed.metrics = {{"m", "s", Better::lower, MetricKind::absolute, {}}};
    for (int i = 0; i < 18; ++i)
      (i < 9 ? sides.base : sides.changed).metrics[0].repetitions.push_back(std::exp(0.02 * i + 0.01 * normal(random)));
    alarms += compare_samples(sides.base, sides.changed, quick_request()).verdict == Verdict::regressed;
  }
  EXPECT_LE(alarms, rounds / 100);
}

}  // namespace
}  // namespace dtbench
