#include "sim/model/calibration_fit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "sim/model/cost_model.h"
#include "sim/model/rate_fit.h"
#include "sim/model/step_fit.h"
#include "sim/predictor.h"
#include "tests/unit/sim/model_machines.h"
#include "topologies/base/error.h"

namespace dtbench {
namespace {

using test::layered_plan;
using test::switched_machine;

constexpr unsigned kSeed = 20;
const RateModel kOneRate = {{{}}};

/// Multiplicative noise of about `ln_sd`.
class Noise {
 public:
  explicit Noise(double ln_sd) : normal_(0, ln_sd), random_(kSeed) {}
  double operator()(double value) { return value * std::exp(normal_(random_)); }

 private:
  std::normal_distribution<double> normal_;
  std::mt19937_64 random_;
};

/// A machine to be found again: 2 us a call, 200 GFLOP/s for long and 50 for short calls, 40 GB/s; all-reduce 3 us a
/// round (and for the launch) at 80 GB/s in the cache and 20 outside.
Calibration planted() {
  Calibration calibration;
  OpCalibration dense;
  dense.overhead_seconds = {2e-6, 0, Origin::measured, ""};
  dense.flop_rate = RateCurve{{{1e5, 50e9}, {1e8, 200e9}, {1e11, 200e9}}, 0, Origin::measured, ""};
  dense.byte_rate = RateCurve{{{1e3, 40e9}}, 0, Origin::measured, ""};
  calibration.ops["dense/float32"] = dense;
  OpCalibration relu = dense;
  relu.flop_rate.reset();
  calibration.ops["relu/float32"] = relu;
  LinkCalibration link;
  link.launch_seconds = link.alpha_seconds = {3e-6, 0, Origin::measured, ""};
  link.efficiency = {0.8, 0, Origin::measured, ""};
  link.size_factor = RateCurve{{{1e6, 1}, {64e6, 0.25}}, 0, Origin::measured, ""};
  calibration.links["switch"] = link;
  calibration.crowding = {1.1, 0, Origin::measured, ""};
  calibration.overlap_slowdown = {0.4, 0, Origin::measured, ""};
  calibration.step_overhead_seconds = {30e-6, 0, Origin::measured, ""};
  return calibration;
}

OpSample op_sample(const char* kind, double flops, double bytes, double seconds, int busy = 1) {
  return {kind, Arithmetic::float32, flops, bytes, seconds, busy};
}

double planted_seconds(const char* kind, double flops, double bytes) {
  PlanOp op;
  op.kind = kind;
  op.flops = flops;
  op.bytes = bytes;
  return op_seconds(op, {}, planted());
}

CalibrationSamples samples_of(double ln_sd) {
  Noise noise(ln_sd);
  CalibrationSamples samples;
  for (const double batch : {16., 64., 256., 1024.})
    for (const double width : {32., 128., 512., 2048.}) {
      const double flops = 2 * batch * width * width, bytes = 4 * (2 * batch * width + width * width);
      samples.ops.push_back(op_sample("dense", flops, bytes, noise(planted_seconds("dense", flops, bytes))));
      const double relu = 8 * batch * width;
      samples.ops.push_back(op_sample("relu", relu / 8, relu, noise(planted_seconds("relu", relu / 8, relu))));
      samples.ops.push_back(op_sample("dense", flops, bytes, noise(1.1 * planted_seconds("dense", flops, bytes)), 2));
    }
  const Topology machine = switched_machine(1, 2);
  CapacityTable capacities(machine);
  for (std::int64_t bytes = 256; bytes < 200'000'000; bytes *= 3) {
    CollectiveCall call;
    call.algorithm = "ring";
    call.bytes = bytes;
    const StepPlan plan = layered_plan(1, 2, 1, 1e6, bytes);
    samples.collectives.push_back(
        {"switch", "ring", 2, double(bytes), noise(collective_seconds(plan, call, machine, planted(), capacities))});
  }
  for (const int devices : {1, 2})
    for (const double flops : {1e6, 1e7, 1e8, 1e9})
      for (const std::int64_t bytes : {40'000, 4'000'000}) {
        StepSample step;
        step.devices = devices;
        step.plan = layered_plan(1, devices, 6, flops, bytes);
        step.step_seconds = noise(predict_step_seconds(step.plan, machine, planted()));
        samples.steps.push_back(step);
      }
  return samples;
}

TEST(FitRates, FindsAConstantRateAndAFixedTime) {
  std::vector<RateObservation> observations;
  for (double amount = 1e3; amount < 1e8; amount *= 2)
    observations.push_back({1, {{amount, {amount}}}, 5e-6 + amount / 3e9});
  const RateFit fit = fit_rates(kOneRate, observations);
  EXPECT_NEAR(fit.fixed_seconds / 5e-6, 1, 0.02);
  EXPECT_NEAR(rate_at(fit.curves[0][0], 1e7) / 3e9, 1, 0.02);
  EXPECT_LT(fit.ln_sd, 0.01);
}

TEST(FitRates, OneObservationIsReproduced) {
  const std::vector<RateObservation> one = {{1, {{1e6, {1e6}}}, 1e-3}};
  EXPECT_NEAR(fitted_seconds(fit_rates(kOneRate, one), one[0]) / 1e-3, 1, 0.01);
}

TEST(FitRates, AnOutlierDoesNotCarryTheFitAway) {
  std::vector<RateObservation> observations;
  for (double amount = 1e3; amount < 1e8; amount *= 1.7)
    observations.push_back({1, {{amount, {amount}}}, 5e-6 + amount / 3e9});
  const double clean = observations[10].seconds;
  observations[10].seconds *= 4;
  const RateFit fit = fit_rates(kOneRate, observations);
  EXPECT_NEAR(fitted_seconds(fit, observations[10]) / clean, 1, 0.15);
}

TEST(FitRates, TellsNarrowRowsAndColdCachesFromTheSizeOfTheCall) {
  // 200 GFLOP/s, 0.4 of it for rows of 10; 50 GB/s, a fifth of it when a step touches 100 MB.
  CurveBelief width, cold;
  width.one = CurveBelief::One::at_last;
  cold.one = CurveBelief::One::at_first;
  const RateModel model = {{{}, width}, {{}, cold}};
  std::vector<RateObservation> observations;
  const auto observe = [](double amount, double elements, double step_bytes) {
    const double narrow = elements < 64 ? 0.4 : 1, far = step_bytes > 1e6 ? 0.2 : 1, bytes = amount / 5;
    return RateObservation{1,
                           {{amount, {amount, elements}}, {bytes, {bytes, step_bytes}}},
                           1e-6 + amount / (200e9 * narrow) + bytes / (50e9 * far)};
  };
  for (double amount = 1e5; amount < 1e9; amount *= 2)
    for (const double elements : {10., 64.})
      for (const double step_bytes : {1e6, 1e8}) observations.push_back(observe(amount, elements, step_bytes));
  const RateFit fit = fit_rates(model, observations);
  for (const double elements : {10., 64.})
    for (const double step_bytes : {1e6, 1e8}) {
      const RateObservation between = observe(3e6, elements, step_bytes);
      EXPECT_NEAR(fitted_seconds(fit, between) / between.seconds, 1, 0.03) << elements << ' ' << step_bytes;
    }
  EXPECT_NEAR(rate_at(fit.curves[0][1], 10), 0.4, 0.05);
  EXPECT_NEAR(rate_at(fit.curves[0][1], 64), 1, 0.01);
  EXPECT_NEAR(rate_at(fit.curves[1][1], 1e8), 0.2, 0.04);
}

class FitCalibration : public testing::TestWithParam<double> {};

// Casts of compressed gradients happen among several replicas only.
TEST(FitOps, TakesAKindFromTheFewestDevicesThatItWasSeenOn) {
  CalibrationSamples samples;
  samples.ops = {op_sample("relu", 0, 4e6, 1e-3), op_sample("relu", 0, 4e6, 4e-3, 2), op_sample("cast", 0, 4e6, 2e-3, 2)};
  const Calibration fitted = fit_calibration(samples, Calibration{}, switched_machine(1, 2));
  PlanOp cast;
  cast.bytes = 4e6;
  cast.kind = "relu";
  EXPECT_NEAR(op_seconds(cast, {}, fitted), 1e-3, 1e-5);
  cast.kind = "cast";
  EXPECT_NEAR(op_seconds(cast, {}, fitted), 2e-3, 2e-5);
}

TEST_P(FitCalibration, FindsThePlantedMachineAgain) {
  const double ln_sd = GetParam(), tolerance = 0.04 + 2 * ln_sd;
  const Topology machine = switched_machine(1, 2);
  const Calibration fitted = fit_calibration(samples_of(ln_sd), Calibration{}, machine);
  // Sizes between those of the samples: what matters is the time, not which term explains it.
  for (const double batch : {24., 100., 700.})
    for (const double width : {48., 300., 1500.}) {
      PlanOp op;
      op.kind = "dense";
      op.flops = 2 * batch * width * width;
      op.bytes = 4 * (2 * batch * width + width * width);
      EXPECT_NEAR(op_seconds(op, {}, fitted) / op_seconds(op, {}, planted()), 1, tolerance + 0.04)
          << batch << ' ' << width << " seed " << kSeed;
    }
  CapacityTable capacities(machine);
  for (const std::int64_t bytes : {1000, 100'000, 3'000'000, 50'000'000}) {
    CollectiveCall call;
    call.algorithm = "ring";
    call.bytes = bytes;
    const StepPlan plan = layered_plan(1, 2, 1, 1e6, bytes);
    EXPECT_NEAR(collective_seconds(plan, call, machine, fitted, capacities) /
                    collective_seconds(plan, call, machine, planted(), capacities),
                1, tolerance + 0.04)
        << bytes << " seed " << kSeed;
  }
  EXPECT_NEAR(fitted.crowding.value, 1.1, tolerance);
  EXPECT_EQ(fitted.origin, Origin::measured);
  ASSERT_TRUE(fitted.holdout_error);
  EXPECT_LT(*fitted.holdout_error, 0.03 + 2 * ln_sd);
}

TEST_P(FitCalibration, PredictsStepsOfSizesItDidNotSee) {
  const Topology machine = switched_machine(1, 2);
  const Calibration fitted = fit_calibration(samples_of(GetParam()), Calibration{}, machine);
  for (const int devices : {1, 2})
    for (const double flops : {3e7, 4e8}) {
      const StepPlan plan = layered_plan(1, devices, 8, flops, 2'000'000);
      EXPECT_NEAR(predict_step_seconds(plan, machine, fitted) / predict_step_seconds(plan, machine, planted()), 1,
                  0.08 + 2 * GetParam())
          << devices << " devices, " << flops << " seed " << kSeed;
    }
}

/// Steps of `machine`, played by a calibration that is right in all but what whole steps tell.
Calibration refit(const Calibration& truth, const Topology& machine) {
  std::vector<StepSample> steps = samples_of(0).steps;
  for (StepSample& step : steps) step.step_seconds = predict_step_seconds(step.plan, machine, truth);
  Calibration calibration = truth;
  calibration.step_overhead_seconds = calibration.overlap_slowdown = {};
  calibration.links.at("switch").launch_seconds.value = 3e-6;
  fit_steps(steps, machine, calibration);
  return calibration;
}

TEST(FitSteps, TellsOverheadAndOverlapFromWholeSteps) {
  const Calibration fitted = refit(planted(), switched_machine(1, 2));
  EXPECT_NEAR(fitted.step_overhead_seconds.value / 30e-6, 1, 0.01);
  EXPECT_DOUBLE_EQ(fitted.overlap_slowdown.value, 0.4);
  EXPECT_NEAR(fitted.links.at("switch").launch_seconds.value, 3e-6, 1e-9);
}

TEST(FitSteps, FindsThatCollectivesStartLateWithinAStep) {
  Calibration slow_start = planted();
  slow_start.links.at("switch").launch_seconds.value = 200e-6;
  const Calibration fitted = refit(slow_start, switched_machine(1, 2));
  EXPECT_NEAR(fitted.links.at("switch").launch_seconds.value / 200e-6, 1, 0.3);
}

TEST(FitSteps, KeepsWhatNoStepTells) {
  Calibration calibration = planted();
  fit_steps({}, switched_machine(1, 2), calibration);
  EXPECT_EQ(calibration, planted());
}

TEST(FitCalibration, ScatterOfSizesItHasNotSeenWidensTheBands) {
  const Topology machine = switched_machine(1, 2);
  const auto ln_sd = [&](double noise) {
    return fit_calibration(samples_of(noise), Calibration{}, machine).ops.at("dense/float32").flop_rate->ln_sd;
  };
  EXPECT_GT(ln_sd(0.1), 2 * ln_sd(0.01));
}

INSTANTIATE_TEST_SUITE_P(Noise, FitCalibration, testing::Values(0.0, 0.03));

TEST(FitCalibration, EqualCallsCountOnceByTheirMedian) {
  CalibrationSamples once, often;
  for (const double flops : {1e6, 1e7, 1e8, 1e9}) {
    const double seconds = planted_seconds("dense", flops, flops / 50);
    once.ops.push_back(op_sample("dense", flops, flops / 50, seconds));
    for (const double disturbed : {1., 1., 1., 1., 3.})
      often.ops.push_back(op_sample("dense", flops, flops / 50, disturbed * seconds));
  }
  EXPECT_EQ(fit_calibration(once, {}, switched_machine(1, 2)).ops.at("dense/float32").flop_rate->points,
            fit_calibration(often, {}, switched_machine(1, 2)).ops.at("dense/float32").flop_rate->points);
}

TEST(FitCalibration, IsDeterministic) {
  const Topology machine = switched_machine(1, 2);
  EXPECT_EQ(fit_calibration(samples_of(0.03), Calibration{}, machine),
            fit_calibration(samples_of(0.03), Calibration{}, machine));
}

TEST(FitCalibration, KeepsWhatHasNoSample) {
  const Topology machine = switched_machine(1, 2);
  CalibrationSamples samples;
  samples.ops.push_back(op_sample("relu", 1e3, 8e3, 1e-6));
  const Calibration start = test::round_calibration();
  const Calibration fitted = fit_calibration(samples, start, machine);
  EXPECT_EQ(fitted.links, start.links);
  EXPECT_EQ(fitted.ops.at("*/*"), start.ops.at("*/*"));
  EXPECT_FALSE(fitted.holdout_error) << "one size can't be checked";
}

TEST(FitCalibration, RefusesSamplesThatCannotBe) {
  const Topology machine = switched_machine(1, 2);
  EXPECT_THROW(fit_calibration({}, {}, machine), Error);
  CalibrationSamples samples;
  samples.ops.push_back(op_sample("relu", 1e3, 8e3, 0));
  EXPECT_THROW(fit_calibration(samples, {}, machine), Error);
  samples.ops[0].seconds = std::nan("");
  EXPECT_THROW(fit_calibration(samples, {}, machine), Error);
}

}  // namespace
}  // namespace dtbench
