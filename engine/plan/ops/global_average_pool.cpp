// Mean over all pixels of each channel.
#include "engine/plan/autodiff.h"
#include "engine/plan/ops/rules.h"
#include "engine/plan/ops/window.h"

namespace dtbench {

namespace {

std::vector<Tensor> infer_pool(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, 1, "x[B,H,W,C]");
  in.require_rank(0, 4);
  return {op_output("output", {in.dim(0, 0), in.dim(0, 3)}, in[0])};
}

std::vector<Tensor> infer_grad(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, 1, "dy[B,C] of an image of 'height' x 'width'");
  in.require_rank(0, 2);
  const Shape x = {in.dim(0, 0), required_whole(in, "height", 1), required_whole(in, "width", 1), in.dim(0, 1)};
  return {op_output("input_gradient", x, in[0])};
}

// One FLOP for each pixel and channel, in both directions.
OpCost cost(const std::vector<Tensor>& in, const std::vector<Tensor>& out, const Attributes&) {
  return {static_cast<double>(in[0].elements()), bytes_moved(in, out)};
}

OpCost cost_of_grad(const std::vector<Tensor>& in, const std::vector<Tensor>& out, const Attributes&) {
  return {static_cast<double>(out[0].elements()), bytes_moved(in, out)};
}

void differentiate(GradientBuilder& builder, const GraphOp& op) {
  const TensorId x = op.inputs[0];
  if (!builder.wanted(x)) return;
  builder.add_gradient(
      x, builder.add_op(op, "global_average_pool_grad", "grad_input", {builder.gradient(op.outputs[0])}, image_extent(builder.tensor(x))));
}

constexpr OpRule kRules[] = {
    {"global_average_pool", infer_pool, cost, differentiate},
    {"global_average_pool_grad", infer_grad, cost_of_grad, nullptr},
};

}  // namespace

std::span<const OpRule> global_average_pool_rules() { return kRules; }

}  // namespace dtbench
