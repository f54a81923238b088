// Hyperbolic tangent; its gradient needs only its output.
#include "engine/plan/autodiff.h"
#include "engine/plan/op_inputs.h"
#include "engine/plan/ops/rules.h"

namespace dtbench {

namespace {

std::vector<Tensor> infer(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, 1, "x[any]");
  in.require(in[0].dtype != DType::int32);
  return {op_output("output", in.shape(0), in[0])};
}

std::vector<Tensor> infer_grad(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, 2, "dy[any], y[same]");
  in.require(in.shape(0) == in.shape(1) && in[0].dtype == in[1].dtype);
  return {op_output("input_gradient", in.shape(0), in[0])};
}

OpCost cost(const std::vector<Tensor>& in, const std::vector<Tensor>& out, const Attributes&) {
  return {6 * static_cast<double>(out[0].elements()), bytes_moved(in, out)};
}

// dy (1 - y y)
OpCost cost_of_grad(const std::vector<Tensor>& in, const std::vector<Tensor>& out, const Attributes&) {
  return {3 * static_cast<double>(out[0].elements()), bytes_moved(in, out)};
}

void differentiate(GradientBuilder& builder, const GraphOp& op) {
  const TensorId y = op.outputs[0];
  if (builder.wanted(op.inputs[0]))
    builder.add_gradient(op.inputs[0], builder.add_op(op, "tanh_grad", "tanh_grad", {builder.gradient(y), y}));
}

constexpr OpRule kRules[] = {
    {"tanh", infer, cost, differentiate},
    {"tanh_grad", infer_grad, cost_of_grad, nullptr},
};

}  // namespace

std::span<const OpRule> tanh_rules() { return kRules; }

}  // namespace dtbench
