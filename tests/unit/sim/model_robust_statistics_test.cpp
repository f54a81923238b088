#include "sim/model/robust_statistics.h"

#include <gtest/gtest.h>

#include "sim/model/held_out.h"

namespace dtbench {
namespace {

TEST(Median, IsTheMiddleOrTheMeanOfTheTwoMiddles) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
  EXPECT_EQ(median({7}), 7);
}

TEST(WeightedMedian, CountsWeightNotNumber) {
  EXPECT_EQ(weighted_median({{1, 1}, {2, 1}, {3, 1}}), 2);
  EXPECT_EQ(weighted_median({{1, 1}, {2, 1}, {3, 10}}), 3);
  EXPECT_EQ(weighted_median({{3, 1}, {1, 0}, {2, 0}}), 3);
}

TEST(RobustSd, IgnoresAFewOutliers) { EXPECT_NEAR(robust_sd({0.1, -0.1, 0.1, -0.1, 50}), 0.14826, 1e-9); }

TEST(Quantile, IsTheNearestRank) {
  std::vector<double> hundred;
  for (int i = 0; i < 100; ++i) hundred.push_back(99 - i);
  EXPECT_EQ(quantile(hundred, 0.05), 5);
  EXPECT_EQ(quantile(hundred, 0.95), 95);
  EXPECT_EQ(quantile(hundred, 0), 0);
  EXPECT_EQ(quantile(hundred, 1), 99);
}

TEST(LeftOut, IsAThirdOfTheDifferentSizesAndNeverTheSmallest) {
  EXPECT_EQ(left_out({5, 1, 1, 2, 3, 4, 6, 6}), (std::set<double>{2, 5}));
  EXPECT_EQ(left_out({8}), std::set<double>{});
  EXPECT_EQ(left_out({}), std::set<double>{});
}

}  // namespace
}  // namespace dtbench
