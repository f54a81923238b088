// Element-wise sum: of two branches in the network, of two losses, of two parts of a gradient in the backward pass.
#include "engine/plan/autodiff.h"
#include "engine/plan/op_inputs.h"
#include "engine/plan/ops/rules.h"

namespace dtbench {

namespace {

std::vector<Tensor> infer_add(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, 2, "a[any], b[same]");
  in.require(in.shape(0) == in.shape(1) && in[0].dtype == in[1].dtype);
  Tensor sum = op_output("output", in.shape(0), in[0]);
  if (in[0].role == TensorRole::loss && in[1].role == TensorRole::loss) sum.role = TensorRole::loss;
  return {sum};
}

OpCost cost(const std::vector<Tensor>& in, const std::vector<Tensor>& out, const Attributes&) {
  return {static_cast<double>(out[0].elements()), bytes_moved(in, out)};
}

void differentiate(GradientBuilder& builder, const GraphOp& op) {
  const TensorId y = op.outputs[0];
  for (const TensorId input : op.inputs) {
    if (!builder.wanted(input)) continue;
    if (builder.is_loss(y))
      builder.add_loss(input);
    else
      builder.add_gradient(input, builder.gradient(y));
  }
}

constexpr OpRule kRules[] = {{"add", infer_add, cost, differentiate}};

}  // namespace

std::span<const OpRule> add_rules() { return kRules; }

}  // namespace dtbench
