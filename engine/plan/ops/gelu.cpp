// Gaussian error linear unit (Hendrycks, Gimpel 2016): x times the normal distribution function of x, exact, or with
// `approximate` 1 its tanh form. The gradient needs the input.
#include "engine/plan/autodiff.h"
#include "engine/plan/op_inputs.h"
#include "engine/plan/ops/rules.h"

namespace dtbench {

namespace {

void require_form(const OpInputs& in) {
  const double approximate = in.attribute("approximate");
  in.require(approximate == 0 || approximate == 1);
}

std::vector<Tensor> infer(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, 1, "x[any], approximate 0 or 1");
  in.require(in[0].dtype != DType::int32);
  require_form(in);
  return {op_output("output", in.shape(0), in[0])};
}

std::vector<Tensor> infer_grad(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, 2, "dy[any], x[same], approximate 0 or 1");
  in.require(in.shape(0) == in.shape(1) && in[0].dtype == in[1].dtype);
  require_form(in);
  return {op_output("input_gradient", in.shape(0), in[0])};
}

// The distribution function counts as 6, its derivative as 4 more.
OpCost cost(const std::vector<Tensor>& in, const std::vector<Tensor>& out, const Attributes&) {
  return {8 * static_cast<double>(out[0].elements()), bytes_moved(in, out)};
}

OpCost cost_of_grad(const std::vector<Tensor>& in, const std::vector<Tensor>& out, const Attributes&) {
  return {13 * static_cast<double>(out[0].elements()), bytes_moved(in, out)};
}

void differentiate(GradientBuilder& builder, const GraphOp& op) {
  const TensorId x = op.inputs[0];
  if (builder.wanted(x))
    builder.add_gradient(x, builder.add_op(op, "gelu_grad", "gelu_grad", {builder.gradient(op.outputs[0]), x}));
}

constexpr OpRule kRules[] = {
    {"gelu", infer, cost, differentiate},
    {"gelu_grad", infer_grad, cost_of_grad, nullptr},
};

}  // namespace

std::span<const OpRule> gelu_rules() { return kRules; }

}  // namespace dtbench
