// Element-wise sum: of two branches in the network, of two parts of a gradient in the backward pass.
#include "engine/plan/autodiff.h"
#include "engine/plan/op_inputs.h"
#include "engine/plan/ops/rules.h"

namespace dtbench {

namespace {

std::vector<Tensor> infer_add(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, 2, "a[any], b[same]");
  in.require(in.shape(0) == in.shape(1) && in[0].dtype == in[1].dtype);
  return {op_output("output", in.shape(0), in[0])};
}

OpCost cost(const std::vector<Tensor>& in, const std::vector<Tensor>& out, const Attributes&) {
  return {static_cast<double>(out[0].elements()), bytes_moved(in, out)};
}

void differentiate(GradientBuilder& builder, const GraphOp& op) {
  const TensorId dy = builder.gradient(op.outputs[0]);
  for (const TensorId input : op.inputs)
    if (builder.wanted(input)) builder.add_gradient(input, dy);
}

constexpr OpRule kRules[] = {{"add", infer_add, cost, differentiate}};

}  // namespace

std::span<const OpRule> add_rules() { return kRules; }

}  // namespace dtbench
