#include "engine/plan/strategies/sync_batch_norm.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/plan/plan_step.h"
#include "tests/unit/plan/expect_error.h"

namespace dtbench {
namespace {

StepRequest request_for(const std::string& model, int replicas) {
  StepRequest request;
  request.model = model;
  request.batch_per_replica = 4;
  request.replicas = replicas;
  request.shape = {1, replicas};
  request.sync_batch_norm = true;
  return request;
}

std::ptrdiff_t count(const StepPlan& plan, const std::string& kind) {
  const auto& ops = plan.classes.front().ops;
  return std::count_if(ops.begin(), ops.end(), [&](const PlanOp& op) { return op.kind == kind; });
}

bool is_read_by(const PlanOp& op, TensorId tensor) {
  return std::find(op.inputs.begin(), op.inputs.end(), tensor) != op.inputs.end();
}

TEST(SyncBatchNorm, AddsUpTheSumsBeforeTheyAreUsed) {
  StepRequest request = request_for("resnet8", 2);
  const StepPlan plan = plan_step(request);
  request.sync_batch_norm = false;
  const StepPlan local = plan_step(request);
  EXPECT_EQ(check_plan(plan), "");
  const std::ptrdiff_t layers = count(plan, "batch_norm_statistics");
  EXPECT_GT(layers, 5);
  EXPECT_EQ(count(plan, "all_reduce"), count(local, "all_reduce") + 2 * layers);
  const auto& ops = plan.classes.front().ops;
  for (std::size_t i = 0; i < ops.size(); ++i) {
    if (ops[i].kind != "batch_norm_statistics" && ops[i].kind != "batch_norm_grad_statistics") continue;
    const TensorId sums = ops[i].outputs.front();
    ASSERT_TRUE(ops[i + 1].collective) << ops[i].name;
    EXPECT_EQ(ops[i + 1].collective->buffer, sums);
    EXPECT_EQ(ops[i + 1].pass, ops[i].pass);
    EXPECT_TRUE(std::none_of(ops.begin(), ops.begin() + static_cast<std::ptrdiff_t>(i),
                             [&](const PlanOp& op) { return is_read_by(op, sums); }));
  }
}

TEST(SyncBatchNorm, AloneChangesNothing) {
  StepRequest request = request_for("resnet8", 1);
  const StepPlan plan = plan_step(request);
  request.sync_batch_norm = false;
  EXPECT_EQ(plan, plan_step(request));
}

TEST(SyncBatchNorm, NeedsAModelWithBatchNormalisation) {
  for (const int replicas : {1, 2}) {
    const ErrorParts parts = bad_input_of([&] { plan_step(request_for("mlp", replicas)); });
    EXPECT_EQ(parts.where, "--sync-batch-norm");
    EXPECT_EQ(parts.found, "model 'mlp' without batch normalisation");
  }
}

}  // namespace
}  // namespace dtbench
