// Every strategy x model x small machine x back end.
#include <gtest/gtest.h>

#include <limits>

#include "engine/plan/models/model.h"
#include "engine/plan/plan_step.h"
#include "engine/plan/strategy.h"
#include "tests/property/step_replay.h"
#include "tests/support/small_models.h"

namespace dtbench {
namespace {

struct PlanCase {
  StepRequest request;
  std::string name;
};

std::vector<BackendTraits> all_traits() {
  std::vector<BackendTraits> traits;
  for (const bool prefetches : {false, true})
    for (const bool overlaps : {false, true}) {
      BackendTraits& t = traits.emplace_back();
      t.prefetches_input = prefetches;
      t.overlaps_communication = overlaps;
    }
  return traits;
}

std::vector<PlanCase> all_cases() {
  std::vector<PlanCase> cases;
  for (const Strategy& strategy : strategies())
    for (const ModelFamily& model : model_families())
      for (const GroupShape shape : {GroupShape{1, 1}, {1, 2}, {1, 7}, {2, 1}, {3, 4}})
        for (const BackendTraits& traits : all_traits())
          for (const std::int64_t bucket_bytes : {std::int64_t{1}, std::int64_t{3000}, std::int64_t{1} << 60}) {
            if (shape.ranks() > strategy.max_replicas()) continue;
            StepRequest request;
            request.model = model.name;
            request.model_options = small_options(model.name);
            request.strategy = strategy.name;
            request.batch_per_replica = 5;
            request.replicas = shape.ranks();
            request.shape = shape;
            request.bucket_bytes = bucket_bytes;
            request.traits = traits;
            cases.push_back({request, request.model + " " + request.strategy + " " + std::to_string(shape.nodes) + "x" +
                                          std::to_string(shape.per_node) +
                                          (traits.prefetches_input ? " prefetch" : "") +
                                          (traits.overlaps_communication ? " overlap" : "") + " buckets of " +
                                          std::to_string(bucket_bytes)});
          }
  return cases;
}

TEST(EveryPlan, IsSound) {
  for (const PlanCase& c : all_cases()) {
    ASSERT_EQ(check_plan(plan_step(c.request)), "") << c.name;
    ASSERT_EQ(check_plan(plan_evaluation(c.request)), "") << c.name;
  }
}

TEST(EveryPlan, ReadsTheRightValuesInEveryOrder) {
  for (const PlanCase& c : all_cases())
    for (std::uint64_t seed = 1; seed <= (c.request.model == "mlp" ? 5u : 1u); ++seed)  // images take their time
      for (const RankClass& cls : plan_step(c.request).classes)
        ASSERT_EQ(replay(cls, 5, seed), "") << c.name << ", seed " << seed;
}

TEST(EveryPlan, NeedsEachOfItsDependencies) {
  for (const PlanCase& c : all_cases()) {
    const StepPlan plan = plan_step(c.request);
    for (std::size_t i = 0; i < plan.classes.size(); ++i)
      for (std::size_t op = 0; op < plan.classes[i].ops.size(); ++op)
        for (std::size_t d = 0; d < plan.classes[i].ops[op].after.size(); ++d) {
          StepPlan hasty = plan;
          auto& after = hasty.classes[i].ops[op].after;
          after.erase(after.begin() + static_cast<std::ptrdiff_t>(d));
          ASSERT_NE(check_plan(hasty), "") << c.name << ": " << plan.classes[i].ops[op].name;
        }
  }
}

// The replay finds by running what check_plan finds by reasoning: a plan without dependencies goes wrong in some order.
TEST(EveryPlan, GoesWrongWithoutDependencies) {
  for (const PlanCase& c : all_cases()) {
    RankClass cls = plan_step(c.request).classes.front();
    bool any = false;
    for (PlanOp& op : cls.ops) {
      any = any || !op.after.empty();
      op.after.clear();
    }
    if (!any) continue;
    std::string fault;
    for (std::uint64_t seed = 1; seed <= 200 && fault.empty(); ++seed) fault = replay(cls, 5, seed);
    ASSERT_NE(fault, "") << c.name;
  }
}

TEST(EveryPlan, AllReducesEachGradientOncePerStep) {
  for (const PlanCase& c : all_cases()) {
    const StepPlan plan = plan_step(c.request);
    for (const RankClass& cls : plan.classes) {
      std::int64_t reduced = 0, gradients = 0, padded = 0;
      for (const PlanOp& op : cls.ops)
        if (op.collective) reduced += op.collective->bytes;
      for (const Tensor& tensor : cls.tensors)
        if (tensor.role == TensorRole::gradient) (tensor.view ? gradients : padded) += tensor.bytes();
      ASSERT_EQ(gradients, plan.parameters * 4) << c.name;
      ASSERT_LT(padded - gradients, 64 * static_cast<std::int64_t>(cls.tensors.size())) << c.name;
      ASSERT_EQ(reduced, c.request.replicas == 1 ? 0 : padded) << c.name;
    }
  }
}

double dense_flops(const RankClass& cls, PassKind pass) {
  double flops = 0;
  for (const PlanOp& op : cls.ops)
    if (op.pass == pass && op.kind.starts_with("dense")) flops += op.flops;
  return flops;
}

// Each product of the forward pass has two in the backward pass, but nobody needs the gradient of the input.
TEST(EveryPlan, MultipliesTwiceAsMuchBackwards) {
  for (const PlanCase& c : all_cases()) {
    if (c.request.model != "mlp") continue;
    const RankClass cls = plan_step(c.request).classes.front();
    const double first_layer = 2.0 * 5 * 20 * 24;
    ASSERT_EQ(dense_flops(cls, PassKind::backward), 2 * dense_flops(cls, PassKind::forward) - first_layer) << c.name;
  }
}

TEST(EveryPlan, IsDeterministic) {
  for (const PlanCase& c : all_cases()) ASSERT_EQ(plan_step(c.request), plan_step(c.request)) << c.name;
}

TEST(EveryPlan, FillsBucketsUpToTheirSize) {
  for (const PlanCase& c : all_cases()) {
    const RankClass cls = plan_step(c.request).classes.front();
    std::vector<int> members(cls.tensors.size(), 0);
    for (const Tensor& tensor : cls.tensors)
      if (tensor.view) ++members[static_cast<std::size_t>(tensor.view->base)];
    int buckets = 0;
    for (std::size_t t = 0; t < cls.tensors.size(); ++t) {
      if (cls.tensors[t].role != TensorRole::gradient || cls.tensors[t].view) continue;
      ++buckets;
      ASSERT_TRUE(members[t] == 1 || cls.tensors[t].bytes() <= c.request.bucket_bytes) << c.name;
    }
    const int parameters = static_cast<int>(model_parameters(cls).size());
    if (c.request.bucket_bytes == 1) {
      ASSERT_EQ(buckets, parameters) << c.name;
    }
    if (c.request.bucket_bytes == std::int64_t{1} << 60) {
      ASSERT_EQ(buckets, 1) << c.name;
    }
  }
}

// Ranks that do the same are described once: a plan has the same operations for 8 ranks and for 65,536.
TEST(HugePlan, CostsWhatItsClassesCost) {
  StepRequest request = all_cases().front().request;
  request.strategy = "mirrored";
  request.replicas = 65536;
  request.shape = {8192, 8};
  const StepPlan huge = plan_step(request);
  request.replicas = 16;
  request.shape = {2, 8};
  EXPECT_EQ(huge.classes.size(), 1u);
  EXPECT_EQ(huge.classes.front().ops.size(), plan_step(request).classes.front().ops.size());
  EXPECT_EQ(huge.classes.front().rank_count(), 65536);
  EXPECT_EQ(check_plan(huge), "");
}

}  // namespace
}  // namespace dtbench
