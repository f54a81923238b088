// Mean of each window; padding counts as zeros, so that every window has the same divisor.
#include "engine/plan/autodiff.h"
#include "engine/plan/ops/rules.h"
#include "engine/plan/ops/window.h"

namespace dtbench {

namespace {

std::vector<Tensor> infer_pool(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, 1, "x[B,H,W,C], padding < window, the window within the padded image");
  in.require_rank(0, 4);
  return {op_output("output", window_output(in, in.shape(0), pooling_window_of(in, op), in.dim(0, 3)), in[0])};
}

std::vector<Tensor> infer_grad(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, 1, "dy[B,Ho,Wo,C] of an image of 'height' x 'width'");
  in.require_rank(0, 4);
  const Shape x = {in.dim(0, 0), required_whole(in, "height", 1), required_whole(in, "width", 1), in.dim(0, 3)};
  in.require(window_output(in, x, pooling_window_of(in, op), x[3]) == in.shape(0));
  return {op_output("input_gradient", x, in[0])};
}

// An addition for each element of each window.
OpCost cost(const std::vector<Tensor>& in, const std::vector<Tensor>& out, const Attributes& attributes) {
  return {elements_under_windows(out[0], attributes), bytes_moved(in, out)};
}

OpCost cost_of_grad(const std::vector<Tensor>& in, const std::vector<Tensor>& out, const Attributes& attributes) {
  return {elements_under_windows(in[0], attributes), bytes_moved(in, out)};
}

void differentiate(GradientBuilder& builder, const GraphOp& op) {
  const TensorId x = op.inputs[0];
  if (!builder.wanted(x)) return;
  builder.add_gradient(
      x, builder.add_op(op, "average_pool2d_grad", "grad_input", {builder.gradient(op.outputs[0])}, image_extent(builder.tensor(x))));
}

constexpr OpRule kRules[] = {
    {"average_pool2d", infer_pool, cost, differentiate},
    {"average_pool2d_grad", infer_grad, cost_of_grad, nullptr},
};

}  // namespace

std::span<const OpRule> average_pool2d_rules() { return kRules; }

}  // namespace dtbench
