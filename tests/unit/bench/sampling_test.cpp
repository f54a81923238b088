#include "bench/sampling.h"

#include <gtest/gtest.h>

#include "tests/unit/bench/scripted_runner.h"

namespace dtbench {
namespace {

TEST(AppendSamples, TakesTheMedianOverSteps) {
  CalibrationSamples samples;
  append_samples(samples, one_rank_plan(),
                 {one_rank_trace(1, 2, 1), one_rank_trace(1, 90, 1), one_rank_trace(1, 3, 1)});
  ASSERT_EQ(samples.ops.size(), 2u);  // the all-reduce is no op sample
  EXPECT_EQ(samples.ops[0].kind, "input");
  EXPECT_EQ(samples.ops[1].kind, "dense");
  EXPECT_EQ(samples.ops[1].seconds, 3);
  EXPECT_EQ(samples.ops[1].flops, 2e6);
  EXPECT_EQ(samples.ops[1].bytes, 3e4);
}

TEST(AppendSamples, LeavesOutCallsBesideACollective) {
  StepTrace beside = one_rank_trace(1, 2, 1);
  beside.ranks[0].spans[2].start_seconds = 2.5;  // the all-reduce begins while dense is still running
  CalibrationSamples samples;
  append_samples(samples, one_rank_plan(), {beside, beside});
  ASSERT_EQ(samples.ops.size(), 1u);
  EXPECT_EQ(samples.ops[0].kind, "input");
}

TEST(AppendSamples, LeavesOutWhatTheClockCannotSee) {
  CalibrationSamples samples;
  append_samples(samples, one_rank_plan(), {one_rank_trace(0, 2, 1)});
  ASSERT_EQ(samples.ops.size(), 1u);
  EXPECT_EQ(samples.ops[0].kind, "dense");
}

TEST(AppendSamples, DescribesTheStepWithItsPlan) {
  CalibrationSamples samples;
  const StepPlan plan = one_rank_plan();
  append_samples(samples, plan, {one_rank_trace(1, 2, 4)});
  ASSERT_EQ(samples.steps.size(), 1u);
  EXPECT_EQ(samples.steps[0].step_seconds, 7);
  EXPECT_EQ(samples.steps[0].compute_busy_seconds, 2);
  EXPECT_EQ(samples.steps[0].communication_busy_seconds, 4);
  EXPECT_EQ(samples.steps[0].ops, 3u);
  EXPECT_EQ(samples.steps[0].plan, plan);
}

}  // namespace
}  // namespace dtbench
