#include "reports/comparison.h"

#include <gtest/gtest.h>

#include "tests/unit/reports/example_result.h"

namespace dtbench {
namespace {

TEST(Comparison, DividesByTheMeasuredValue) {
  const Comparison comparison = compare({8, 7, 9, Origin::fitted}, {10, {}});
  EXPECT_DOUBLE_EQ(comparison.ratio, 0.8);
  EXPECT_DOUBLE_EQ(comparison.abs_error, 0.2);
  EXPECT_FALSE(comparison.inside);
}

TEST(Comparison, CountsTheEndsOfTheBandAsInside) {
  EXPECT_TRUE(compare({8, 7, 10, Origin::fitted}, {10, {}}).inside);
  EXPECT_TRUE(compare({8, 7, 10, Origin::fitted}, {7, {}}).inside);
}

TEST(ClosedLoop, SummarisesOnlyPointsWithBothHalves) {
  ClosedLoop loop = example_run().closed_loop;
  loop.points.push_back(example_point(4, 1, 0.1));  // not measured
  summarise(loop);
  ASSERT_TRUE(loop.median_abs_error);
  EXPECT_NEAR(*loop.median_abs_error, ((155.15 - 152.1) / 155.15 + (199.9 - 171) / 199.9) / 2, 1e-12);
}

TEST(ClosedLoop, KeepsItsReasonWhenNothingWasMeasured) {
  ClosedLoop loop;
  loop.points = {example_point(1, 1, 0.1)};
  loop.median_abs_error = 0.5;
  loop.reason = "--measure off";
  summarise(loop);
  EXPECT_FALSE(loop.median_abs_error);
  EXPECT_EQ(loop.reason, "--measure off");
}

TEST(VerifyResult, PassesWhenTheMedianErrorIsWithinTolerance) {
  VerifyResult result = example_verify();  // errors 3.1 %, 2.4 %, 16 %
  EXPECT_TRUE(result.passed);
  EXPECT_NEAR(result.median_abs_error, (1.31 - 1.27) / 1.27, 1e-12);
  EXPECT_NEAR(result.worst_abs_error, (1.93 - 1.62) / 1.93, 1e-12);
  EXPECT_NEAR(result.coverage, 2. / 3, 1e-12);
  result.tolerance = 0.03;
  summarise(result);
  EXPECT_FALSE(result.passed);
}

// A machine that became slower as a whole is told from a prediction that was wrong; the verdict does not excuse it.
TEST(VerifyResult, TellsTheMachinesOwnChangeByItsControls) {
  VerifyResult result = example_verify();
  const MachineChange change = machine_change(result.controls);  // 1.02, 0.95, 1.1
  EXPECT_NEAR(change.factor, 1.02, 1e-12);
  EXPECT_NEAR(change.low, 0.95, 1e-12);
  EXPECT_NEAR(change.high, 1.1, 1e-12);
  EXPECT_NEAR(change.repeat_error, 0.05, 1e-12);
  for (VerifyRow& row : result.rows) {
    row.measured = measured_from({row.predicted.value * 1.3});
    row.ratio = 0;
  }
  for (VerifyControl& control : result.controls) control.measured_seconds = 1.3 * control.calibrated_seconds;
  summarise(result);
  EXPECT_NEAR(result.median_abs_error, 0.3 / 1.3, 1e-12);
  EXPECT_NEAR(result.median_abs_error_beside_controls, 0, 1e-12);
  EXPECT_FALSE(result.passed);
  result.controls.clear();
  summarise(result);
  EXPECT_NEAR(result.median_abs_error_beside_controls, result.median_abs_error, 1e-12);
}

}  // namespace
}  // namespace dtbench
