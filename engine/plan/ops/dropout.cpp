// Dropout (Srivastava et al. 2014): an element is 0 with probability `rate`, else divided by 1 - rate. The mask is no
// tensor: forward and backward draw it again from (seed, step, global number of the example, `salt`, element), so that
// it depends neither on the number of replicas nor on anybody's order of work. A layer without dropout plans none.
#include "engine/plan/autodiff.h"
#include "engine/plan/op_inputs.h"
#include "engine/plan/ops/rules.h"

namespace dtbench {

namespace {

Shape checked_shape(const OpInputs& in) {
  const double rate = in.attribute("rate"), salt = in.attribute("salt");
  in.require(!in.shape(0).empty() && in[0].dtype != DType::int32);
  in.require(rate > 0 && rate < 1 && salt >= 0);
  return in.shape(0);
}

std::vector<Tensor> infer(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, 1, "x[B, ...], 0 < rate < 1, salt from 0");
  return {op_output("output", checked_shape(in), in[0])};
}

std::vector<Tensor> infer_grad(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, 1, "dy[B, ...], 0 < rate < 1, salt from 0");
  return {op_output("input_gradient", checked_shape(in), in[0])};
}

// Drawing the mask is integer work.
OpCost cost(const std::vector<Tensor>& in, const std::vector<Tensor>& out, const Attributes&) {
  return {static_cast<double>(out[0].elements()), bytes_moved(in, out)};
}

void differentiate(GradientBuilder& builder, const GraphOp& op) {
  const TensorId x = op.inputs[0];
  if (builder.wanted(x))
    builder.add_gradient(x, builder.add_op(op, "dropout_grad", "dropout_grad", {builder.gradient(op.outputs[0])}));
}

constexpr OpRule kRules[] = {
    {"dropout", infer, cost, differentiate},
    {"dropout_grad", infer_grad, cost, nullptr},
};

}  // namespace

std::span<const OpRule> dropout_rules() { return kRules; }

}  // namespace dtbench
