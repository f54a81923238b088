#include "sim/model/step_walk.h"

#include <gtest/gtest.h>

#include <random>

#include "sim/model/closed_form.h"

namespace dtbench {
namespace {

/// A plan written by hand: one class, ops added with their seconds.
class HandMade {
 public:
  HandMade() {
    plan.classes.emplace_back().ranks.push_back({0, 2, 1});
    plan.ranks = 2;
    plan.groups.push_back({"data", {0, 2, 1}, 1, 0, {1, 2}});
    times.op_seconds.emplace_back();
  }
  OpId compute(double seconds, std::vector<Dependency> after = {}, Stream stream = Stream::compute) {
    PlanOp op;
    op.stream = stream;
    op.after = std::move(after);
    return add(op, seconds);
  }
  OpId collective(double seconds, std::vector<Dependency> after = {}) {
    PlanOp op;
    op.type = OpType::collective;
    op.stream = Stream::communication;
    op.after = std::move(after);
    op.collective = CollectiveCall{};
    return add(op, seconds);
  }
  double period() const { return closed_form_step_seconds(WalkProgram(plan), times); }
  StepTrace trace() const { return closed_form_trace(WalkProgram(plan), times); }

  StepPlan plan;
  WalkTimes times;

 private:
  OpId add(const PlanOp& op, double seconds) {
    plan.classes[0].ops.push_back(op);
    times.op_seconds[0].push_back(seconds);
    return OpId(plan.classes[0].ops.size()) - 1;
  }
};

TEST(StepWalk, OneStreamTakesTheSumOfItsOps) {
  HandMade step;
  step.compute(1.0);
  step.compute(2.5);
  EXPECT_DOUBLE_EQ(step.period(), 3.5);
}

TEST(StepWalk, HiddenCommunicationCostsNothing) {
  HandMade step;
  const OpId backward1 = step.compute(2);
  step.compute(3);
  const OpId reduce = step.collective(3, {{backward1}});
  step.compute(1, {{reduce}});  // update
  EXPECT_DOUBLE_EQ(step.period(), 6);
}

TEST(StepWalk, ExposedCommunicationDelaysTheUpdate) {
  HandMade step;
  const OpId backward1 = step.compute(2);
  const OpId backward2 = step.compute(3);
  const OpId reduce1 = step.collective(5, {{backward1}});
  const OpId reduce2 = step.collective(1, {{backward2}});
  step.compute(1, {{reduce1}, {reduce2}});
  EXPECT_DOUBLE_EQ(step.period(), 2 + 5 + 1 + 1);
}

TEST(StepWalk, PeriodIsShorterThanTheMakespanWhenStepsOverlap) {
  // Input of the next step is read while this one computes: two buffers, so step k+2 waits for step k.
  HandMade step;
  const OpId input = step.compute(4, {{1, 2}}, Stream::host);
  step.compute(5, {{input}});
  EXPECT_DOUBLE_EQ(step.period(), 5);
  const StepTrace trace = step.trace();
  EXPECT_GE(trace.ranks[0].spans[1].end_seconds, 9);  // makespan of one step, from the start of its input
}

TEST(StepWalk, ASlowInputSetsThePeriod) {
  HandMade step;
  const OpId input = step.compute(7, {{1, 2}}, Stream::host);
  step.compute(5, {{input}});
  EXPECT_DOUBLE_EQ(step.period(), 7);
}

TEST(StepWalk, OneInputBufferSerializesInputAndCompute) {
  HandMade step;
  const OpId input = step.compute(4, {{1, 1}}, Stream::host);
  step.compute(5, {{input}});
  EXPECT_DOUBLE_EQ(step.period(), 9);
}

TEST(StepWalk, AnUnboundedInputDoesNotRunAwayFromTheStep) {
  HandMade step;
  const OpId input = step.compute(0.001, {}, Stream::host);
  step.compute(5, {{input}});
  EXPECT_DOUBLE_EQ(step.period(), 5);
}

TEST(StepWalk, UpdatesOfTheLastStepMayHideCommunicationOfThisOne) {
  // Asynchronous update: the reduction of step k is awaited by step k+1's last op only.
  HandMade step;
  const OpId backward = step.compute(4);
  const OpId reduce = step.collective(3, {{backward}});
  step.compute(1, {{reduce, 1}});
  EXPECT_DOUBLE_EQ(step.period(), 5);
}

TEST(StepWalk, OverlappedComputeLosesAFractionOfTheCommunicationTime) {
  HandMade step;
  const OpId backward1 = step.compute(2);
  step.compute(10);
  const OpId reduce = step.collective(4, {{backward1}});
  step.compute(1, {{reduce}});
  step.times.overlap_slowdown = 0.25;
  EXPECT_DOUBLE_EQ(step.period(), 13 + 0.25 * 4);
}

TEST(StepWalk, FullSlowdownMakesOneCoreDoOneThingAtATime) {
  HandMade step;
  const OpId backward1 = step.compute(2);
  step.compute(10);
  const OpId reduce = step.collective(4, {{backward1}});
  step.compute(1, {{reduce}});
  step.times.overlap_slowdown = 1;
  EXPECT_DOUBLE_EQ(step.period(), 17);
}

TEST(StepWalk, OverheadComesOncePerStep) {
  HandMade step;
  step.compute(1);
  step.compute(2);
  step.times.step_overhead_seconds = 0.5;
  EXPECT_DOUBLE_EQ(step.period(), 3.5);
}

TEST(StepWalk, RepeatsRunTheirOpsAsOftenAsTheySay) {
  HandMade step;
  const OpId first = step.compute(1);
  const OpId second = step.compute(2, {{first}});
  step.compute(4, {{second}});
  step.plan.classes[0].repeats.push_back({0, 1, 10});
  EXPECT_DOUBLE_EQ(step.period(), 34);
  EXPECT_DOUBLE_EQ(step.trace().ranks[0].spans[0].end_seconds, 28);
}

TEST(StepWalk, ACollectiveWaitsForItsSlowestClass) {
  HandMade step;
  const OpId backward = step.compute(2);
  step.collective(1, {{backward}});
  step.plan.classes[0].ranks = {{0, 1, 1}};
  step.plan.classes.push_back(step.plan.classes[0]);
  step.plan.classes[1].ranks = {{1, 1, 1}};
  step.plan.classes[0].ops.push_back({});
  step.plan.classes[1].ops.push_back({});
  for (RankClass& cls : step.plan.classes) cls.ops[2].after = {{1}};
  step.times.op_seconds = {{2, 1, 0.5}, {6, 1, 0.5}};  // a straggler
  EXPECT_DOUBLE_EQ(step.period(), 7.5);
  const StepTrace trace = step.trace();
  ASSERT_EQ(trace.ranks.size(), 2u);
  EXPECT_DOUBLE_EQ(trace.ranks[0].spans[1].end_seconds, trace.ranks[1].spans[1].end_seconds);
  EXPECT_LT(trace.ranks[0].spans[1].start_seconds, trace.ranks[1].spans[1].start_seconds);
}

TEST(StepWalk, ClassesWithoutACommonInstanceDoNotWaitForEachOther) {
  HandMade step;
  const OpId backward = step.compute(2);
  step.collective(1, {{backward}});
  step.plan.ranks = 4;
  step.plan.groups[0] = {"data", {0, 2, 1}, 2, 2, {1, 2}};
  step.plan.classes[0].ranks = {{0, 2, 1}};
  step.plan.classes.push_back(step.plan.classes[0]);
  step.plan.classes[1].ranks = {{2, 2, 1}};
  step.times.op_seconds = {{2, 1}, {5, 1}};
  const StepTrace trace = step.trace();
  EXPECT_DOUBLE_EQ(trace.ranks[0].spans[1].end_seconds - trace.ranks[0].spans[1].start_seconds, 1);
  EXPECT_DOUBLE_EQ(trace.ranks[1].spans[1].end_seconds - trace.ranks[1].spans[1].start_seconds, 1);
}

TEST(StepWalk, RandomPlansTakeNoLessThanTheirBusiestStreamAndNoMoreThanTheSum) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> seconds(0.1, 2);
    HandMade step;
    double compute = 0, communication = 0;
    for (int op = 0; op < 20; ++op) {
      const double t = seconds(random);
      std::vector<Dependency> after;
      if (op > 0) after.push_back({int(random() % op)});
      const bool reduce = random() % 3 == 0;
      (reduce ? communication : compute) += t;
      reduce ? step.collective(t, after) : step.compute(t, after);
    }
    const double period = step.period();
    EXPECT_GE(period, std::max(compute, communication) * (1 - 1e-9)) << "seed " << seed;
    EXPECT_LE(period, (compute + communication) * (1 + 1e-9)) << "seed " << seed;
    step.times.overlap_slowdown = 0.3;
    EXPECT_GE(step.period(), period * (1 - 1e-9)) << "seed " << seed;
  }
}

}  // namespace
}  // namespace dtbench
