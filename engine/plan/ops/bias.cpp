// A vector added to every row, and the sum over rows that is its gradient.
#include "engine/plan/autodiff.h"
#include "engine/plan/op_inputs.h"
#include "engine/plan/ops/rules.h"

namespace dtbench {

namespace {

std::vector<Tensor> infer_bias(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, 2, "x[B,O], b[O]");
  in.require_rank(0, 2);
  in.require_rank(1, 1);
  in.require(in.dim(0, 1) == in.dim(1, 0) && in[0].dtype == in[1].dtype);
  return {op_output("output", in.shape(0), in[0])};
}

std::vector<Tensor> infer_grad(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, 1, "dy[B,O]");
  in.require_rank(0, 2);
  return {op_output("bias_gradient", {in.dim(0, 1)}, in[0])};
}

OpCost cost(const std::vector<Tensor>& in, const std::vector<Tensor>& out, const Attributes&) {
  return {static_cast<double>(in[0].elements()), bytes_moved(in, out)};
}

void differentiate(GradientBuilder& builder, const GraphOp& op) {
  const TensorId dy = builder.gradient(op.outputs[0]);
  if (builder.wanted(op.inputs[1]))
    builder.add_gradient(op.inputs[1], builder.add_op(op, "bias_grad", "grad_bias", {dy}));
  if (builder.wanted(op.inputs[0])) builder.add_gradient(op.inputs[0], dy);
}

constexpr OpRule kRules[] = {
    {"bias", infer_bias, cost, differentiate},
    {"bias_grad", infer_grad, cost, nullptr},
};

}  // namespace

std::span<const OpRule> bias_rules() { return kRules; }

}  // namespace dtbench
