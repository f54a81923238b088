// Properties of the pieces: rank test, shift, bootstrap, drift, power.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "reports/regression/bootstrap_ratio.h"
#include "reports/regression/drift.h"
#include "reports/regression/location_shift.h"
#include "reports/regression/power.h"
#include "reports/regression/rank_test.h"
#include "reports/regression/welch_test.h"

namespace dtbench {
namespace {

using Values = std::vector<double>;

Values normal_values(std::size_t n, double mean, double deviation, std::mt19937_64& random) {
  std::normal_distribution<double> normal(mean, deviation);
  Values values(n);
  for (double& value : values) value = normal(random);
  return values;
}

// Every split of the pooled values into n and m, counted by hand.
double p_value_by_enumeration(const Values& a, const Values& b) {
  Values pooled(a);
  pooled.insert(pooled.end(), b.begin(), b.end());
  const auto u_of = [&](const std::vector<int>& in_b) {
    double u = 0;
    for (std::size_t i = 0; i < pooled.size(); ++i)
      for (std::size_t j = 0; j < pooled.size(); ++j)
        if (!in_b[i] && in_b[j]) u += pooled[j] > pooled[i] ? 1 : pooled[j] == pooled[i] ? 0.5 : 0;
    return u;
  };
  std::vector<int> in_b(pooled.size(), 0);
  std::fill(in_b.begin() + static_cast<std::ptrdiff_t>(a.size()), in_b.end(), 1);
  const double observed = u_of(in_b);
  double below = 0, above = 0, all = 0;
  do {
    const double u = u_of(in_b);
    below += u <= observed;
    above += u >= observed;
    ++all;
  } while (std::next_permutation(in_b.begin(), in_b.end()));
  return std::min(1., 2 * std::min(below, above) / all);
}

TEST(RankTest, IsTheShareOfArrangementsAsFarOut) {
  std::mt19937_64 random(1);
  std::uniform_int_distribution<int> coarse(0, 4);
  for (int round = 0; round < 20; ++round) {
    Values a(4), b(5);
    for (double& value : a) value = coarse(random);
    for (double& value : b) value = coarse(random) + 1;
    EXPECT_NEAR(mann_whitney(a, b).p_value, p_value_by_enumeration(a, b), 1e-12);
    a = normal_values(5, 0, 1, random);
    b = normal_values(4, 1, 1, random);
    EXPECT_NEAR(mann_whitney(a, b).p_value, p_value_by_enumeration(a, b), 1e-12);
  }
}

TEST(RankTest, IsSymmetricAndKnowsItsSmallest) {
  const Values low = {1, 2, 3, 4, 5}, high = {6, 7, 8, 9, 10};
  const RankTest up = mann_whitney(low, high), down = mann_whitney(high, low);
  EXPECT_DOUBLE_EQ(up.p_value, down.p_value);
  EXPECT_DOUBLE_EQ(up.u, 25);
  EXPECT_DOUBLE_EQ(down.u, 0);
  EXPECT_DOUBLE_EQ(up.superior, 1);
  EXPECT_NEAR(up.p_value, 2. / 252, 1e-15);
  EXPECT_NEAR(smallest_rank_p_value(5, 5), 2. / 252, 1e-12);
  EXPECT_GT(smallest_rank_p_value(4, 4), 0.01);
  EXPECT_LE(smallest_rank_p_value(kLeastRepetitions, kLeastRepetitions), 0.01);
}

TEST(RankTest, OfEqualValuesFindsNothing) {
  EXPECT_DOUBLE_EQ(mann_whitney(Values(7, 3.), Values(6, 3.)).p_value, 1);
  EXPECT_DOUBLE_EQ(mann_whitney(Values(200, 3.), Values(200, 3.)).p_value, 1);
}

TEST(RankTest, IsExactAsLongAsTheArrangementsCanBeCounted) {
  EXPECT_TRUE(rank_counts_fit(33, 33));
  EXPECT_FALSE(rank_counts_fit(34, 34));
  std::mt19937_64 random(2);
  const Values a = normal_values(33, 0, 1, random), b = normal_values(33, 0.4, 1, random);
  const Values c = normal_values(34, 0, 1, random);
  EXPECT_TRUE(mann_whitney(a, b).exact);
  EXPECT_FALSE(mann_whitney(a, Values(200, 5.)).exact);
  EXPECT_FALSE(mann_whitney(c, c).exact);
  EXPECT_NEAR(rank_distribution(33, 33).back(), 1, 1e-12);
}

TEST(Welch, WithoutSpread) {
  EXPECT_EQ(welch_p_value(Values{1, 1, 1}, Values{1, 1, 1}), 1);
  EXPECT_EQ(welch_p_value(Values{1, 1, 1}, Values{2, 2, 2}), 0);
}

TEST(LocationShift, IntervalCoversAsOftenAsItSays) {
  std::mt19937_64 random(3);
  constexpr int kRounds = 4000;
  for (const std::size_t n : {5u, 9u, 20u, 40u}) {
    int covered = 0;
    for (int round = 0; round < kRounds; ++round) {
      const LocationShift shift = location_shift(normal_values(n, 0, 1, random), normal_values(n, 0.7, 1, random), 0.9);
      EXPECT_LE(shift.low, shift.value);
      EXPECT_LE(shift.value, shift.high);
      covered += shift.low <= 0.7 && 0.7 <= shift.high;
    }
    // At least, since ranks are discrete; 3 standard errors of 4000 rounds are 1.4 %.
    EXPECT_GE(covered, 0.886 * kRounds) << n;
    EXPECT_LE(covered, 0.95 * kRounds) << n;
  }
}

TEST(LocationShift, OfTwoAgainstTwoHasNoInterval) {
  EXPECT_TRUE(std::isinf(location_shift(Values{1, 2}, Values{3, 4}, 0.9).high));
  EXPECT_DOUBLE_EQ(location_shift(Values{1, 2}, Values{3, 4}, 0.9).value, 2);
}

TEST(LocationShift, HardlyMovesWithOneWildValue) {
  const Values base = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  Values changed = base;
  changed[4] = 1e6;
  EXPECT_LT(std::abs(location_shift(base, changed, 0.9).value), 1.01);
}

TEST(LocationShift, OfManyValuesIsThatOfTheirQuantiles) {
  std::mt19937_64 random(4);
  const LocationShift shift =
      location_shift(normal_values(20000, 0, 1, random), normal_values(15000, 0.1, 1, random), 0.9);
  EXPECT_NEAR(shift.value, 0.1, 0.03);
  EXPECT_NEAR(shift.high - shift.low, 2 * 1.645 * std::sqrt(1. / 20000 + 1. / 15000), 0.01);
}

TEST(Bootstrap, OfTheRatioIsSeededAndHoldsTheTruth) {
  std::mt19937_64 random(5);
  int covered = 0;
  for (int round = 0; round < 300; ++round) {
    const Values a = normal_values(15, 10, 0.5, random), b = normal_values(15, 11, 0.5, random);
    const BootstrapOptions options{.confidence = 0.9, .resamples = 400, .seed = 7};
    const ConfidenceInterval interval = bootstrap_ratio_of_medians(a, b, options);
    const ConfidenceInterval again = bootstrap_ratio_of_medians(a, b, options);
    EXPECT_EQ(interval.low, again.low);
    EXPECT_EQ(interval.high, again.high);
    covered += interval.low <= 1.1 && 1.1 <= interval.high;
  }
  EXPECT_GE(covered, 0.84 * 300);  // percentile intervals of medians are known to be a little short
}

TEST(Drift, IsFoundInBothSessionsTogether) {
  const Values rising = {1, 2, 3, 4, 5}, mixed = {1, 5, 2, 4, 3};
  EXPECT_LE(drift_of(rising, rising).p_value, 0.01);  // neither alone could be so sure
  EXPECT_GT(drift_of(rising, {}).p_value, 0.01);
  EXPECT_GT(drift_of(mixed, mixed).p_value, 0.1);
  EXPECT_DOUBLE_EQ(drift_of(rising, mixed).base, 4);
}

TEST(Noise, IsEstimatedWithoutBiasFromFewValues) {
  std::mt19937_64 random(6);
  for (const std::size_t n : {5u, 9u, 30u}) {
    double sum = 0;
    constexpr int kRounds = 4000;
    for (int round = 0; round < kRounds; ++round)
      sum += relative_noise(normal_values(n, 0, 0.02, random), normal_values(n, 0.1, 0.02, random));
    EXPECT_NEAR(sum / kRounds / 0.02, 1, 0.08) << n;
  }
}

TEST(Power, RepetitionsAndDetectableChangeAreInverse) {
  for (const double noise : {0.01, 0.02, 0.05}) {
    const std::size_t n = repetitions_to_find(0.05, noise, 0.01, 0.03);
    EXPECT_LE(minimum_detectable_change(error_of_shift(noise, n, n), 0.01, 0.03), 0.0501);
    if (n > kLeastRepetitions) {
      EXPECT_GT(minimum_detectable_change(error_of_shift(noise, n - 1, n - 1), 0.01, 0.03), 0.05);
    }
  }
}

}  // namespace
}  // namespace dtbench
