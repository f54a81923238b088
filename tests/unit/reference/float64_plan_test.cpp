#include "engine/reference/float64_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "engine/plan/plan_step.h"
#include "engine/reference/reference_backend.h"
#include "engine/runtime/engine_session.h"

namespace dtbench {
namespace {

constexpr std::int64_t kGlobalBatch = 12;

StepPlan plan_for(int replicas, std::int64_t bucket_bytes = 600) {
  return plan_step({.model_options = {{"inputs", 6}, {"hidden", 9}, {"layers", 2}, {"classes", 4}},
                    .strategy = replicas == 1 ? "single" : "mirrored",
                    .batch_per_replica = kGlobalBatch / replicas,
                    .replicas = replicas,
                    .shape = {1, replicas},
                    .bucket_bytes = bucket_bytes,
                    .traits = make_reference_backend()->traits()});
}

StepPlan wide_plan_for(int replicas) { return to_float64(plan_for(replicas), make_reference_backend()->traits()); }

TEST(Float64Plan, IsSoundAndLeavesOperationsAlone) {
  const StepPlan single = plan_for(3), wide = wide_plan_for(3);
  EXPECT_EQ(check_plan(wide), "");
  const RankClass &before = single.classes[0], &after = wide.classes[0];
  ASSERT_EQ(after.ops.size(), before.ops.size());
  for (std::size_t i = 0; i < after.ops.size(); ++i) {
    EXPECT_EQ(after.ops[i].after, before.ops[i].after);
    EXPECT_EQ(after.ops[i].flops, before.ops[i].flops);
    EXPECT_EQ(after.ops[i].arithmetic, Arithmetic::float64);
  }
}

TEST(Float64Plan, DoublesTheBytesOfAllButLabels) {
  const StepPlan single = plan_for(3), wide = wide_plan_for(3);
  const RankClass &before = single.classes[0], &after = wide.classes[0];
  for (std::size_t t = 0; t < after.tensors.size(); ++t) {
    const int factor = before.tensors[t].dtype == DType::int32 ? 1 : 2;
    EXPECT_EQ(after.tensors[t].bytes(), factor * before.tensors[t].bytes()) << after.tensors[t].name;
  }
  for (std::size_t i = 0; i < after.ops.size(); ++i) {
    if (after.ops[i].collective) {
      EXPECT_EQ(after.ops[i].collective->bytes, 2 * before.ops[i].collective->bytes);
    }
    if (after.ops[i].kind == "relu") {
      EXPECT_EQ(after.ops[i].bytes, 2 * before.ops[i].bytes);
    }
  }
}

/// Parameters by name after some steps on the generated input.
std::map<std::string, std::vector<double>> trained(StepPlan plan, int steps) {
  const auto session = open_session(*make_reference_backend(), std::move(plan), {.wait_limit_seconds = 20});
  initialize_parameters(*session, 3);
  session->run(steps, false);
  std::map<std::string, std::vector<double>> parameters;
  const RankClass& cls = session->plan().classes[0];
  for (const TensorId id : model_parameters(cls)) {
    parameters[cls.tensors[static_cast<std::size_t>(id)].name] = session->read(0, id);
  }
  return parameters;
}

void expect_near(const std::map<std::string, std::vector<double>>& found,
                 const std::map<std::string, std::vector<double>>& expected, double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (const auto& [name, values] : expected) {
    EXPECT_THAT(found.at(name), ::testing::Pointwise(::testing::DoubleNear(tolerance), values)) << name;
  }
}

// Only the order of sums differs, so all that remains is rounding: a wrong scale, a lost bucket or a stale parameter
// would show.
TEST(Float64Plan, ReplicasTrainLikeOneToTwelveDigits) {
  const auto alone = trained(wide_plan_for(1), 20);
  for (const int replicas : {2, 3, 4}) {
    SCOPED_TRACE(replicas);
    expect_near(trained(wide_plan_for(replicas), 20), alone, 1e-12);
  }
}

TEST(Float64Plan, SinglePrecisionFollowsIt) {
  expect_near(trained(plan_for(2), 20), trained(wide_plan_for(2), 20), 2e-5);
}

}  // namespace
}  // namespace dtbench
