#include "engine/plan/precision.h"

#include <gtest/gtest.h>

#include <set>

#include "engine/plan/op_rule.h"
#include "engine/plan/plan_step.h"
#include "tests/unit/plan/expect_error.h"

namespace dtbench {
namespace {

StepPlan plan_with(std::string precision, int replicas = 1) {
  StepRequest request;
  request.model_options = {{"hidden", 64}, {"layers", 2}};
  request.precision = std::move(precision);
  request.batch_per_replica = 32;
  request.replicas = replicas;
  request.shape = {1, replicas};
  return plan_step(request);
}

const PlanOp& cast_op_named(const RankClass& cls, const std::string& name) {
  for (const PlanOp& op : cls.ops)
    if (op.name == name) return op;
  ADD_FAILURE() << "no operation " << name;
  return cls.ops.front();
}

const Tensor& input_of(const RankClass& cls, const std::string& op, std::size_t index) {
  return cls.tensors[static_cast<std::size_t>(cast_op_named(cls, op).inputs[index])];
}

bool is_forward_kind(std::string_view kind) {
  return kind.find("_grad") == std::string_view::npos && kind != "sgd_momentum" && kind != "all_finite" &&
         kind != "update_loss_scale";
}

TEST(Precision, DecidesForEveryForwardKind) {
  std::set<std::string_view> decided, kinds;
  for (const OpPrecision& row : op_precisions()) decided.insert(row.kind);
  for (const OpRule& rule : op_rules())
    if (is_forward_kind(rule.kind)) kinds.insert(rule.kind);
  EXPECT_EQ(decided, kinds);
}

TEST(Precision, NamesThePoliciesAndTheNearestSpelling) {
  EXPECT_EQ(bad_input_of([] { precision_policy("mixed_bfloat61"); }).hint, "did you mean 'mixed_bfloat16'?");
  EXPECT_EQ(precision_policy("float32").storage, DType::float32);
}

TEST(Precision, EveryMixedPlanIsSoundForAnyNumberOfReplicas) {
  for (const PrecisionPolicy& policy : precision_policies())
    for (const int replicas : {1, 2, 8}) EXPECT_EQ(check_plan(plan_with(std::string(policy.name), replicas)), "");
}

TEST(Precision, KeepsParametersGradientsUpdatesAndLossInFloat32) {
  const StepPlan plan = plan_with("mixed_bfloat16", 2);
  const RankClass& cls = plan.classes.front();
  for (const Tensor& tensor : cls.tensors) {
    const bool may_be_low = tensor.role == TensorRole::activation || tensor.role == TensorRole::weight_copy;
    EXPECT_TRUE(may_be_low || tensor.dtype == DType::float32 || tensor.dtype == DType::int32) << tensor.name;
  }
  EXPECT_EQ(input_of(cls, "layer2/dense/forward", 0).dtype, DType::bfloat16);
  EXPECT_EQ(input_of(cls, "layer2/dense/forward", 1).role, TensorRole::weight_copy);
  EXPECT_EQ(input_of(cls, "loss/forward", 0).dtype, DType::float32);
  EXPECT_EQ(cast_op_named(cls, "layer2/dense/grad_weight").arithmetic, Arithmetic::bfloat16);
  EXPECT_EQ(cast_op_named(cls, "loss/forward").arithmetic, Arithmetic::float32);
  EXPECT_EQ(cast_op_named(cls, "bucket0/update").arithmetic, Arithmetic::float32);
}

TEST(Precision, CastsEachTensorOnce) {
  const StepPlan plan = plan_with("mixed_float16");
  const RankClass& cls = plan.classes.front();
  std::set<std::pair<TensorId, DType>> cast;
  for (const PlanOp& op : cls.ops) {
    if (op.kind != "cast") continue;
    const DType to = cls.tensors[static_cast<std::size_t>(op.outputs.front())].dtype;
    EXPECT_NE(cls.tensors[static_cast<std::size_t>(op.inputs.front())].dtype, to) << op.name;
    EXPECT_TRUE(cast.emplace(op.inputs.front(), to).second) << op.name;
  }
  // Forward: features, 6 parameters, logits. Backward: 6 gradients of parameters, that of the logits.
  EXPECT_EQ(cast.size(), 15U);
}

// A network that goes to float32 and back uses the tensor that it came from.
TEST(Precision, NeverCastsThereAndBack) {
  Graph graph;
  const auto add = [&](std::string name, Shape shape, TensorRole role) {
    return graph.add_tensor({std::move(name), std::move(shape), DType::float32, role, {}, {}, {}});
  };
  const TensorId x = add("x", {2, 3}, TensorRole::input);
  const TensorId relu = graph.add_op("relu", "l/forward", {x});
  graph.add_op("tanh", "m/forward", {relu});
  graph.loss = graph.add_op("add", "n/forward", {relu, x});
  const Graph mixed = apply_precision(graph, precision_policy("mixed_bfloat16"));
  std::vector<std::string_view> kinds;
  for (const GraphOp& op : mixed.ops) kinds.push_back(op.kind);
  EXPECT_EQ(kinds, (std::vector<std::string_view>{"cast", "relu", "tanh", "add"}));
}

TEST(Precision, CountsCopiesOfWeightsAsWeights) {
  const MemoryUse whole = plan_with("float32").classes.front().memory.use;
  const MemoryUse mixed = plan_with("mixed_bfloat16").classes.front().memory.use;
  EXPECT_NEAR(static_cast<double>(mixed.weights) / static_cast<double>(whole.weights), 1.5, 0.01);
  EXPECT_EQ(mixed.gradients, whole.gradients);
  EXPECT_EQ(mixed.optimizer, whole.optimizer);
}

TEST(Precision, Tf32IsPricedAndNotExecutable) {
  const StepPlan plan = plan_with("tf32"), whole = plan_with("float32");
  const RankClass& cls = plan.classes.front();
  ASSERT_EQ(cls.ops.size(), whole.classes.front().ops.size());
  for (const PlanOp& op : cls.ops) {
    const bool product = op.kind.starts_with("dense");
    EXPECT_EQ(op.arithmetic, product ? Arithmetic::tf32 : Arithmetic::float32) << op.name;
    EXPECT_EQ(op.executable, !product) << op.name;
  }
}

TEST(Precision, LeavesAFloat32PlanAsItWas) {
  const StepPlan plan = plan_with("float32");
  for (const PlanOp& op : plan.classes.front().ops) {
    EXPECT_NE(op.kind, "cast");
    EXPECT_EQ(op.arithmetic, Arithmetic::float32);
  }
}

}  // namespace
}  // namespace dtbench
