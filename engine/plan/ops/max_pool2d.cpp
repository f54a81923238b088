// Largest value of each window. Its gradient finds the place again in the input, which the layer before keeps anyway:
// no table of places is stored.
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
  const OpInputs in(graph, op, 2, "x[B,H,W,C], dy[B,Ho,Wo,C]");
  in.require_rank(0, 4);
  in.require(in[0].dtype == in[1].dtype);
  in.require(window_output(in, in.shape(0), pooling_window_of(in, op), in.dim(0, 3)) == in.shape(1));
  return {op_output("input_gradient", in.shape(0), in[0])};
}

// A comparison for each element of each window.
OpCost cost(const std::vector<Tensor>& in, const std::vector<Tensor>& out, const Attributes& attributes) {
  return {elements_under_windows(out[0], attributes), bytes_moved(in, out)};
}

OpCost cost_of_grad(const std::vector<Tensor>& in, const std::vector<Tensor>& out, const Attributes& attributes) {
  return {elements_under_windows(in[1], attributes), bytes_moved(in, out)};
}

void differentiate(GradientBuilder& builder, const GraphOp& op) {
  const TensorId x = op.inputs[0];
  if (builder.wanted(x))
    builder.add_gradient(x, builder.add_op(op, "max_pool2d_grad", "grad_input", {x, builder.gradient(op.outputs[0])}));
}

constexpr OpRule kRules[] = {
    {"max_pool2d", infer_pool, cost, differentiate},
    {"max_pool2d_grad", infer_grad, cost_of_grad, nullptr},
};

}  // namespace

std::span<const OpRule> max_pool2d_rules() { return kRules; }

}  // namespace dtbench
