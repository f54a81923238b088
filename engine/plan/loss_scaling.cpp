#include "engine/plan/loss_scaling.h"

#include <algorithm>

namespace dtbench {

namespace {

constexpr std::string_view kCheck = "all_finite", kUpdate = "update_loss_scale";

Tensor number(std::string name, Shape shape, DType dtype, TensorRole role) {
  Tensor tensor;
  tensor.name = std::move(name);
  tensor.shape = std::move(shape);
  tensor.dtype = dtype;
  tensor.role = role;
  return tensor;
}

TensorId add(RankClass& cls, Tensor tensor) {
  cls.tensors.push_back(std::move(tensor));
  return static_cast<TensorId>(cls.tensors.size()) - 1;
}

const PlanOp* find_op(const RankClass& cls, std::string_view kind) {
  const auto found = std::ranges::find(cls.ops, kind, &PlanOp::kind);
  return found == cls.ops.end() ? nullptr : &*found;
}

}  // namespace

LossScale add_loss_scale(Graph& graph) {
  LossScale loss_scale;
  Tensor scale = number("loss_scale/scale", {1}, DType::float32, TensorRole::state);
  scale.initial.mean = kInitialLossScale;
  loss_scale.scale = graph.add_tensor(std::move(scale));
  loss_scale.counters = graph.add_tensor(number("loss_scale/counters", {3}, DType::int32, TensorRole::state));
  graph.gradient_of.resize(graph.tensors.size(), kNoTensor);
  for (GraphOp& op : graph.ops)
    if (op.kind == "softmax_cross_entropy_grad") op.inputs.push_back(loss_scale.scale);
  return loss_scale;
}

PlanOp finite_check(RankClass& cls, LossScale& loss_scale, const std::vector<Bucket>& buckets) {
  PlanOp op;
  op.name = "loss_scale/all_finite";
  op.kind = kCheck;
  op.pass = PassKind::update;
  for (const Bucket& bucket : buckets)
    for (std::size_t t = 0; t < cls.tensors.size(); ++t)
      if (cls.tensors[t].view && cls.tensors[t].view->base == bucket.gradients)
        op.inputs.push_back(static_cast<TensorId>(t));
  loss_scale.finite = add(cls, number("loss_scale/finite", {1}, DType::int32, TensorRole::activation));
  loss_scale.culprit = add(cls, number("loss_scale/culprit", {1}, DType::int32, TensorRole::activation));
  op.outputs = {loss_scale.finite, loss_scale.culprit};
  return op;
}

PlanOp loss_scale_update(const LossScale& loss_scale) {
  PlanOp op;
  op.name = "loss_scale/update";
  op.kind = kUpdate;
  op.pass = PassKind::update;
  op.attributes = {{"growth_steps", kLossScaleGrowthSteps}};
  op.inputs = {loss_scale.finite, loss_scale.culprit, loss_scale.scale, loss_scale.counters};
  op.outputs = {loss_scale.scale, loss_scale.counters};
  return op;
}

LossScale loss_scale_of(const RankClass& cls) {
  const PlanOp* op = find_op(cls, kUpdate);
  if (op == nullptr) return {};
  return {op->inputs[2], op->inputs[3], op->inputs[0], op->inputs[1]};
}

std::string culprit_name(const RankClass& cls, int culprit) {
  const PlanOp* op = find_op(cls, kCheck);
  if (op == nullptr || culprit < 0 || static_cast<std::size_t>(culprit) >= op->inputs.size()) return "";
  return cls.tensors[static_cast<std::size_t>(op->inputs[static_cast<std::size_t>(culprit)])].name;
}

}  // namespace dtbench
