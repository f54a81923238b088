#include "reports/scaling.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "reports/comparison.h"
#include "reports/statistics.h"
#include "tests/unit/reports/example_result.h"

namespace dtbench {
namespace {

std::vector<Point> scaled(std::vector<Point> points) {
  derive_scaling(points);
  return points;
}

Point strong_point(int devices, double seconds) {
  Point point = example_point(devices, seconds, 0.2);
  point.global_batch = 512;
  point.batch_per_replica = 512 / devices;
  return point;
}

TEST(Scaling, IsNinetyPercentEfficientWhenTheStepTakesATenthLonger) {
  const auto points = scaled({example_point(8, 0.010 / 0.9, 0.1), example_point(1, 0.010, 0.1)});
  ASSERT_EQ(points.front().devices, 1);
  EXPECT_NEAR(points.back().efficiency.predicted->value, 0.9, 1e-12);
  EXPECT_NEAR(points.back().speedup.predicted->value, 7.2, 1e-12);
  EXPECT_NEAR(points.back().samples_per_second.predicted->value, 8 * 128 * 0.9 / 0.010, 1e-6);
}

TEST(Scaling, ThroughputIsLowWhenTheStepIsLong) {
  const auto points = scaled({example_point(1, 0.010, 0.2)});
  const Predicted rate = *points.front().samples_per_second.predicted;
  EXPECT_DOUBLE_EQ(rate.low, 128 / 0.012);
  EXPECT_DOUBLE_EQ(rate.high, 128 / 0.008);
}

TEST(Scaling, StrongScalingComparesTheSameWork) {
  const auto points = scaled({strong_point(1, 0.4), strong_point(4, 0.125)});
  EXPECT_EQ(scaling_kind(points), ScalingKind::strong);
  EXPECT_NEAR(points.back().speedup.predicted->value, 3.2, 1e-12);
  EXPECT_NEAR(points.back().efficiency.predicted->value, 0.8, 1e-12);
}

TEST(Scaling, CountsFromTheSmallestDeviceCountOfTheRun) {
  const auto points = scaled({example_point(4, 0.010, 0.1), example_point(16, 0.0125, 0.1)});
  EXPECT_DOUBLE_EQ(points.front().speedup.predicted->value, 4);
  EXPECT_DOUBLE_EQ(points.front().efficiency.predicted->value, 1);
  EXPECT_NEAR(points.back().speedup.predicted->value, 12.8, 1e-12);
}

TEST(Scaling, KindIsWeakForOnePointAndMixedWhenBothBatchesChange) {
  EXPECT_EQ(scaling_kind(std::vector<Point>{example_point(8, 1, 0.1)}), ScalingKind::weak);
  EXPECT_EQ(scaling_kind(std::vector<Point>{example_point(1, 1, 0.1), example_point(8, 1, 0.1)}), ScalingKind::weak);
  std::vector<Point> mixed = {example_point(1, 1, 0.1), example_point(8, 1, 0.1)};
  mixed.back().batch_per_replica = 64;
  EXPECT_EQ(scaling_kind(mixed), ScalingKind::mixed);
}

TEST(Scaling, MeasuredSpeedupIsARatioOfMedians) {
  std::vector<Point> points = {example_point(1, 1, 0.1), example_point(2, 1, 0.1)};
  points[0].step_seconds.measured = measured_from({1.0, 1.2, 1.1});
  points[1].step_seconds.measured = measured_from({1.375, 1.25, 1.5});
  const Point two = scaled(points).back();
  EXPECT_NEAR(two.efficiency.measured->value, 1.1 / 1.375, 1e-12);
  EXPECT_NEAR(two.speedup.measured->value, 1.6, 1e-12);
  EXPECT_NEAR(two.speedup.measured->repetitions.at(1), 2 * 1.1 / 1.25, 1e-12);
}

TEST(Scaling, SaysWhyASpeedupIsMissing) {
  std::vector<Point> points = {example_point(1, 1, 0.1), example_point(2, 1, 0.1)};
  points[1].step_seconds.measured = measured_from({1.0});
  points[1].step_seconds.reason.clear();
  const auto derived = scaled(points);
  EXPECT_FALSE(derived[1].speedup.measured);
  EXPECT_EQ(derived[1].speedup.reason, "not measured at the smallest device count");
  EXPECT_EQ(derived[0].speedup.reason, points[0].step_seconds.reason);
}

TEST(Scaling, TakesTheLeastTrustworthyOrigin) {
  std::vector<Point> points = {example_point(1, 1, 0.1), example_point(2, 1, 0.1)};
  points[0].step_seconds.predicted->origin = Origin::assumed;
  points[1].step_seconds.predicted->origin = Origin::measured;
  EXPECT_EQ(scaled(points)[1].efficiency.predicted->origin, Origin::assumed);
}

// The common part of two wide bands must not widen the efficiency: it cancels.
TEST(Scaling, EfficiencyBandIsNarrowWhereBothStepsAreUncertainInTheSameWay) {
  const auto points = scaled({example_point(1, 0.0100, 0.3), example_point(8, 0.0101, 0.3)});
  const Predicted efficiency = *points.back().efficiency.predicted;
  EXPECT_GT(efficiency.low, 0.9);
  EXPECT_LE(efficiency.high, kBestEfficiency);
}

TEST(Scaling, EfficiencyNeverReachesFarAboveLinear) {
  for (const double slowdown : {1.0, 1.02, 1.2, 1.5, 3.0}) {
    const auto points = scaled({example_point(1, 0.01, 0.5), example_point(64, 0.01 * slowdown, 0.6)});
    const Predicted efficiency = *points.back().efficiency.predicted;
    EXPECT_LE(efficiency.high, kBestEfficiency) << slowdown;
    EXPECT_LE(efficiency.low, efficiency.value) << slowdown;
    EXPECT_GT(efficiency.low, 0) << slowdown;
  }
}

TEST(Scaling, KeepsASuperlinearValueInsideItsBand) {
  const auto points = scaled({example_point(1, 0.012, 0.1), example_point(2, 0.010, 0.1)});
  const Predicted efficiency = *points.back().efficiency.predicted;
  EXPECT_NEAR(efficiency.value, 1.2, 1e-12);
  EXPECT_GE(efficiency.high, efficiency.value);
}

// t(1) log-normal, t(8) = t(1) + x with x independent: the model of the header, in draws.
struct Draws {
  std::vector<double> one, eight;
};

Draws draws_of_the_model(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::lognormal_distribution<double> base(std::log(0.010), 0.12), added(std::log(0.006), 0.25);
  Draws draws;
  for (int i = 0; i < 4000; ++i) {
    draws.one.push_back(base(random));
    draws.eight.push_back(draws.one.back() + added(random));
  }
  return draws;
}

Point drawn_point(int devices, const std::vector<double>& draws) {
  Point point = example_point(devices, 1, 0);
  point.step_seconds.predicted = Predicted{median(draws), quantile(draws, 0.05), quantile(draws, 0.95), Origin::fitted};
  return point;
}

double share_inside(const Predicted& band, const Draws& draws) {
  int inside = 0;
  for (std::size_t k = 0; k < draws.one.size(); ++k) {
    const double efficiency = draws.one[k] / draws.eight[k];
    inside += band.low <= efficiency && efficiency <= band.high;
  }
  return inside / static_cast<double>(draws.one.size());
}

TEST(Scaling, EfficiencyBandHoldsNineInTenDrawsOfItsModel) {
  const Draws draws = draws_of_the_model(11);
  std::vector<Point> points = {drawn_point(1, draws.one), drawn_point(8, draws.eight)};
  derive_scaling(points);
  const double from_bands = share_inside(*points.back().efficiency.predicted, draws);
  EXPECT_GT(from_bands, 0.88) << "seed 11";
  EXPECT_LT(from_bands, 0.96) << "seed 11";
  derive_scaling(points, {{1, draws.one}, {8, draws.eight}});
  const double from_draws = share_inside(*points.back().efficiency.predicted, draws);
  EXPECT_GT(from_draws, 0.89) << "seed 11";
  EXPECT_LT(from_draws, 0.92) << "seed 11";
}

TEST(Scaling, DrawsThatMoveTogetherLeaveOnlyTheNoise) {
  const Draws draws = draws_of_the_model(12);
  std::vector<double> slower = draws.one;
  for (double& seconds : slower) seconds *= 1.25;
  std::vector<Point> points = {drawn_point(1, draws.one), drawn_point(8, slower)};
  derive_scaling(points, {{1, draws.one}, {8, slower}});
  const Predicted efficiency = *points.back().efficiency.predicted;
  EXPECT_NEAR(efficiency.low, 0.8 * std::exp(-kScalingNoise), 1e-9);
  EXPECT_NEAR(efficiency.high, 0.8 * std::exp(kScalingNoise), 1e-9);
}

}  // namespace
}  // namespace dtbench
