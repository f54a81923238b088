#include "reports/explain.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "reports/coverage.h"
#include "tests/unit/reports/golden_file.h"

namespace dtbench {
namespace {

PlanOp op(std::string name, std::string kind, double flops, double bytes) {
  PlanOp result;
  result.name = std::move(name);
  result.kind = std::move(kind);
  result.flops = flops;
  result.bytes = bytes;
  return result;
}

PlanOp all_reduce(std::int64_t bytes) {
  PlanOp result = op("bucket/all_reduce", "all_reduce", 0, 0);
  result.type = OpType::collective;
  result.stream = Stream::communication;
  result.collective = CollectiveCall{.bytes = bytes, .algorithm = "ring"};
  return result;
}

// dense 4 ms, dense 3 ms, relu 1 ms; all-reduce from 6 to 9 ms: 1 ms exposed; then 1 ms of nothing.
StepPlan example_plan() {
  StepPlan plan;
  plan.ranks = 2;
  plan.classes.resize(1);
  plan.classes[0].ranks = {{0, 2, 1}};
  plan.classes[0].ops = {op("a", "dense", 8e9, 4e6), op("b", "dense", 6e9, 4e6), op("c", "relu", 1e6, 8e6),
                         all_reduce(30'000'000)};
  return plan;
}

StepTrace example_trace() {
  return {"closed-form", 0.010, {{0, 0, {{0, 0, 0.004}, {1, 0.004, 0.007}, {2, 0.007, 0.008}, {3, 0.006, 0.009}}}}};
}

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
