#include "engine/plan/plan_step.h"

#include <gtest/gtest.h>

namespace dtbench {
namespace {

StepRequest small_request(int nodes, int per_node) {
  StepRequest request;
  request.model_options = {{"hidden", 32}, {"layers", 2}, {"inputs", 20}, {"classes", 10}};
  request.batch_per_replica = 8;
  request.replicas = nodes * per_node;
  request.shape = {nodes, per_node};
  return request;
}

TEST(PlanStep, ReducesEachBucketBetweenItsLastWriterAndItsUpdate) {
  const StepPlan plan = plan_step(small_request(1, 4));
  ASSERT_EQ(plan.groups.size(), 1u);
  EXPECT_EQ(plan.classes.front().rank_count(), 4);
  EXPECT_EQ(plan.parameters, 20 * 32 + 32 + 32 * 32 + 32 + 32 * 10 + 10);
}

}  // namespace
}  // namespace dtbench
