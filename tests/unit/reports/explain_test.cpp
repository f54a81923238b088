#include "reports/explain.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "reports/coverage.h"
#include "tests/unit/reports/example_trace.h"
#include "tests/unit/reports/golden_file.h"

namespace dtbench {
namespace {

TEST(Explain, GroupsOperationsAndAddsUpTheStep) {
  const std::string text = explain_text(example_plan(), example_trace(), {});
  std::string one_line = text;
  std::replace(one_line.begin(), one_line.end(), '\n', ' ');
  EXPECT_NE(one_line.find("step 10 ms = computing 8 ms (80 %) + exposed communication 1 ms (10 %) + waiting and "
                          "overhead 1 ms (10 %)"),
            std::string::npos)
      << text;
  expect_golden(text, "explain.txt");
}

RateCurve curve(double from, double to) { return {{{from, 1e12}, {to, 1e12}}, 0.05, Origin::measured, "test"}; }

TEST(ExtrapolatedShare, CountsTheTimeOfSizesOutsideTheCurves) {
  Calibration calibration;
  calibration.ops["dense/*"].flop_rate = curve(1e6, 7e9);  // the first dense, 4 of 8 ms, is larger
  calibration.ops["relu/*"].byte_rate = curve(1e6, 1e9);
  EXPECT_DOUBLE_EQ(extrapolated_share(example_plan(), example_trace(), calibration), 0.5);
  calibration.ops["dense/*"].flop_rate = curve(1e6, 9e9);
  EXPECT_EQ(extrapolated_share(example_plan(), example_trace(), calibration), 0);
  calibration.ops["relu/*"].byte_rate = curve(9e6, 1e9);
  EXPECT_DOUBLE_EQ(extrapolated_share(example_plan(), example_trace(), calibration), 0.125);
}

TEST(ExtrapolatedShare, OfAStepWithoutComputeIsZero) {
  EXPECT_EQ(extrapolated_share(example_plan(), {"flow", 1, {}}, Calibration{}), 0);
}

}  // namespace
}  // namespace dtbench
