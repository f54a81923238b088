#include "engine/train/data/plan_inputs.h"

#include <fmt/core.h>

#include "topologies/base/error.h"

namespace dtbench {

namespace {

const Tensor* find_input(const StepPlan& plan, std::string_view name) {
  for (const Tensor& tensor : plan.classes.front().tensors)
    if (tensor.name == name && (tensor.role == TensorRole::input || tensor.role == TensorRole::label)) return &tensor;
  return nullptr;
}

}  // namespace

bool reads_input(const StepPlan& plan, std::string_view name) { return find_input(plan, name) != nullptr; }

const Tensor& input_of_plan(const StepPlan& plan, std::string_view name, const std::string& data) {
  const Tensor* found = find_input(plan, name);
  if (found == nullptr)
    throw_bad_input({"--model", fmt::format("'{}', which reads no '{}'", plan.model, name),
                     fmt::format("a model that {} can feed", data), ""});
  return *found;
}

LossInputs loss_inputs(const StepPlan& plan) {
  LossInputs found;
  for (const PlanOp& op : plan.classes.front().ops) {
    if (op.kind != "softmax_cross_entropy") continue;
    if (found.logits != kNoTensor)
      throw_bad_input({"--model", fmt::format("'{}' with several losses", plan.model), "a model with one loss", ""});
    found = {op.inputs[0], op.inputs[1]};
  }
  if (found.logits == kNoTensor)
    throw_bad_input({"--model", fmt::format("'{}' without softmax_cross_entropy", plan.model), "a classifier", ""});
  return found;
}

const Tensor& logits_of_plan(const StepPlan& plan) {
  return plan.classes.front().tensors[static_cast<std::size_t>(loss_inputs(plan).logits)];
}

}  // namespace dtbench
