#include "engine/reference/float64_plan.h"

#include "engine/plan/memory.h"
#include "engine/plan/op_rule.h"

namespace dtbench {

namespace {

std::vector<Tensor> tensors_of(const RankClass& cls, const std::vector<TensorId>& ids) {
  std::vector<Tensor> tensors;
  for (const TensorId id : ids) tensors.push_back(cls.tensors.at(static_cast<std::size_t>(id)));
  return tensors;
}

double bytes_of_op(const RankClass& cls, const PlanOp& op) {
  const std::vector<Tensor> inputs = tensors_of(cls, op.inputs), outputs = tensors_of(cls, op.outputs);
  if (op.type == OpType::compute) return op_rule(op.kind).cost(inputs, outputs, op.attributes).bytes;
  double bytes = 0;
  for (const Tensor& tensor : outputs) bytes += static_cast<double>(tensor.bytes());
  return bytes;
}

void widen(RankClass& cls, PlanOp& op) {
  if (op.arithmetic == Arithmetic::float32) op.arithmetic = Arithmetic::float64;
  op.bytes = bytes_of_op(cls, op);
  if (op.collective) op.collective->bytes = cls.tensors.at(static_cast<std::size_t>(op.collective->buffer)).bytes();
}

}  // namespace

StepPlan to_float64(StepPlan plan, const BackendTraits& traits) {
  for (RankClass& cls : plan.classes) {
    for (Tensor& tensor : cls.tensors) {
      if (tensor.dtype == DType::float32) tensor.dtype = DType::float64;
    }
    for (PlanOp& op : cls.ops) widen(cls, op);
    plan_memory(cls, traits);
  }
  return plan;
}

}  // namespace dtbench
