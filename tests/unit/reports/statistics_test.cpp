#include "reports/statistics.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace dtbench {
namespace {

const std::vector<double> kFive = {7, 1, 3, 10, 2};

TEST(Median, IsTheMiddleOrTheMeanOfTheTwoMiddles) {
  EXPECT_DOUBLE_EQ(median(kFive), 3);
  EXPECT_DOUBLE_EQ(median(std::vector<double>{4, 1, 3, 2}), 2.5);
  EXPECT_DOUBLE_EQ(median(std::vector<double>{6}), 6);
}

TEST(Median, LeavesItsArgumentInOrder) {
  const std::vector<double> before = kFive;
  median(before);
  EXPECT_EQ(before, kFive);
}

// numpy.quantile([7, 1, 3, 10, 2], [...]), whose default is type 7.
TEST(Quantile, InterpolatesLikeTypeSeven) {
  EXPECT_DOUBLE_EQ(quantile(kFive, 0), 1);
  EXPECT_DOUBLE_EQ(quantile(kFive, 0.1), 1.4);
  EXPECT_DOUBLE_EQ(quantile(kFive, 0.6), 4.6);
  EXPECT_DOUBLE_EQ(quantile(kFive, 0.95), 9.4);
  EXPECT_DOUBLE_EQ(quantile(kFive, 1), 10);
}

// Boost 1.74 gives the middle value itself.
TEST(MedianAbsoluteDeviation, IsTheMedianDistanceFromTheMedian) {
  EXPECT_DOUBLE_EQ(median_absolute_deviation(kFive), 2);
  EXPECT_DOUBLE_EQ(median_absolute_deviation(std::vector<double>{100, 101, 102}), 1);
  EXPECT_DOUBLE_EQ(median_absolute_deviation(std::vector<double>{5, 5, 5}), 0);
}

TEST(RelativeSpread, DoesNotDependOnTheUnitOrOnOneOutlier) {
  const std::vector<double> seconds = {1.00, 1.01, 0.99, 1.02, 5.0};
  std::vector<double> milliseconds = seconds;
  for (double& value : milliseconds) value *= 1000;
  EXPECT_NEAR(relative_spread(seconds), 1.4826 * 0.01 / 1.01, 1e-12);
  EXPECT_NEAR(relative_spread(milliseconds), relative_spread(seconds), 1e-12);
}

TEST(RelativeSpread, IsNotClaimedForTwoValues) { EXPECT_EQ(relative_spread(std::vector<double>{1, 2}), 0); }

TEST(BootstrapMedian, GivesTheSameIntervalForTheSameSeed) {
  const ConfidenceInterval a = bootstrap_median(kFive, {.seed = 3}), b = bootstrap_median(kFive, {.seed = 3});
  EXPECT_EQ(a.low, b.low);
  EXPECT_EQ(a.high, b.high);
}

TEST(BootstrapMedian, OfEqualValuesIsThatValue) {
  const ConfidenceInterval interval = bootstrap_median(std::vector<double>(9, 4.5));
  EXPECT_EQ(interval.low, 4.5);
  EXPECT_EQ(interval.high, 4.5);
}

TEST(BootstrapMedian, CoversTheTrueMedianAboutAsOftenAsItSays) {
  std::mt19937_64 random(20);
  std::lognormal_distribution<double> draw(0, 0.3);  // median 1
  int covered = 0;
  const int trials = 400;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> values(25);
    for (double& value : values) value = draw(random);
    const ConfidenceInterval interval = bootstrap_median(values, {.resamples = 400, .seed = 1});
    covered += interval.low <= 1 && 1 <= interval.high;
  }
  EXPECT_GT(covered, 0.84 * trials) << "seed 20";
  EXPECT_LT(covered, 0.97 * trials) << "seed 20";
}

}  // namespace
}  // namespace dtbench
