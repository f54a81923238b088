#include "bench/stopping_rules.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace dtbench {
namespace {

TEST(ErrorOfMedian, IsUnknownBelowThreeRepetitions) {
  EXPECT_TRUE(std::isinf(error_of_median(std::vector<double>{})));
  EXPECT_TRUE(std::isinf(error_of_median(std::vector<double>{1.0, 1.0})));
}

TEST(ErrorOfMedian, IsZeroForEqualRepetitions) { EXPECT_EQ(error_of_median(std::vector<double>(5, 2.0)), 0); }

TEST(ErrorOfMedian, FallsWithTheSquareRootOfTheCount) {
  const std::vector<double> few = {0.9, 1.0, 1.1, 0.9, 1.0, 1.1};
  std::vector<double> many;
  for (int i = 0; i < 4; ++i) many.insert(many.end(), few.begin(), few.end());
  EXPECT_NEAR(error_of_median(few) / error_of_median(many), 2, 1e-9);
}

TEST(ErrorOfMedian, HardlyMovesByOneDisturbedRepetition) {
  const std::vector<double> quiet = {1.00, 1.01, 0.99, 1.00, 1.01, 0.99, 1.00};
  std::vector<double> disturbed = quiet;
  disturbed.back() = 50;
  EXPECT_LT(error_of_median(disturbed), 2 * error_of_median(quiet));
}

TEST(MeasuredEnough, NeedsTheFewestRepetitionsEvenWhenTheyAgree) {
  const StoppingRule rule{4, 10, 0.01};
  EXPECT_FALSE(measured_enough(rule, std::vector<double>(3, 1.0)));
  EXPECT_TRUE(measured_enough(rule, std::vector<double>(4, 1.0)));
}

TEST(MeasuredEnough, StopsAtTheMostRepetitionsThoughTheyDisagree) {
  const StoppingRule rule{3, 6, 0.001};
  std::vector<double> scattered = {1, 2, 3, 1, 2};
  EXPECT_FALSE(measured_enough(rule, scattered));
  scattered.push_back(3);
  EXPECT_TRUE(measured_enough(rule, scattered));
}

}  // namespace
}  // namespace dtbench
