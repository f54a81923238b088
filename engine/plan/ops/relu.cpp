// Rectifier; its gradient needs only its output, so that the input may be forgotten.
#include "engine/plan/autodiff.h"
#include "engine/plan/op_inputs.h"
#include "engine/plan/ops/rules.h"

namespace dtbench {

namespace {

std::vector<Tensor> infer_relu(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, 1, "x[any]");
  return {op_output("output", in.shape(0), in[0])};
}

std::vector<Tensor> infer_grad(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, 2, "y[any], dy[same]");
  in.require(in.shape(0) == in.shape(1) && in[0].dtype == in[1].dtype);
  return {op_output("input_gradient", in.shape(0), in[0])};
}

OpCost cost(const std::vector<Tensor>& in, const std::vector<Tensor>& out, const Attributes&) {
  return {static_cast<double>(out[0].elements()), bytes_moved(in, out)};
}

void differentiate(GradientBuilder& builder, const GraphOp& op) {
  const TensorId y = op.outputs[0];
  if (builder.wanted(op.inputs[0]))
    builder.add_gradient(op.inputs[0], builder.add_op(op, "relu_grad", "relu_grad", {y, builder.gradient(y)}));
}

constexpr OpRule kRules[] = {
    {"relu", infer_relu, cost, differentiate},
    {"relu_grad", infer_grad, cost, nullptr},
};

}  // namespace

std::span<const OpRule> relu_rules() { return kRules; }

}  // namespace dtbench
