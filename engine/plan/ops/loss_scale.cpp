// What a dynamic loss scale needs beside the products with it (engine/plan/loss_scaling.h): are all gradients finite, and
// the scale of the next step.
#include "engine/plan/op_inputs.h"
#include "engine/plan/ops/rules.h"

namespace dtbench {

namespace {

Tensor whole_number(std::string name) {
  Tensor tensor;
  tensor.name = std::move(name);
  tensor.shape = {1};
  tensor.dtype = DType::int32;
  return tensor;
}

std::vector<Tensor> infer_all_finite(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, std::max<std::size_t>(op.inputs.size(), 1), "gradients[any]...");
  for (std::size_t i = 0; i < op.inputs.size(); ++i) in.require(in[i].dtype != DType::int32);
  return {whole_number("finite"), whole_number("culprit")};
}

std::vector<Tensor> infer_update(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, 4, "int32 finite[1], int32 culprit[1], scale[1], int32 counters[3]");
  for (std::size_t i = 0; i < 3; ++i) in.require(in.shape(i) == Shape{1});
  in.require(in.shape(3) == Shape{3});
  for (const std::size_t i : {0U, 1U, 3U}) in.require(in[i].dtype == DType::int32);
  in.attribute("growth_steps");
  return {in[2], in[3]};
}

OpCost cost_of_all_finite(const std::vector<Tensor>& in, const std::vector<Tensor>& out, const Attributes&) {
  double elements = 0;
  for (const Tensor& tensor : in) elements += static_cast<double>(tensor.elements());
  return {elements, bytes_moved(in, out)};
}

OpCost cost_of_update(const std::vector<Tensor>& in, const std::vector<Tensor>& out, const Attributes&) {
  return {1, bytes_moved(in, out)};
}

constexpr InPlace kState[] = {{0, 2}, {1, 3}};

constexpr OpRule kRules[] = {
    {"all_finite", infer_all_finite, cost_of_all_finite, nullptr},
    {"update_loss_scale", infer_update, cost_of_update, nullptr, kState},
};

}  // namespace

std::span<const OpRule> loss_scale_rules() { return kRules; }

}  // namespace dtbench
