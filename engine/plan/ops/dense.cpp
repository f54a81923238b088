// Matrix product of a batch with a weight, and its two gradients.
#include "engine/plan/autodiff.h"
#include "engine/plan/op_inputs.h"
#include "engine/plan/ops/rules.h"

namespace dtbench {

namespace {

std::vector<Tensor> infer_dense(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, 2, "x[B,I], w[I,O]");
  in.require_rank(0, 2);
  in.require_rank(1, 2);
  in.require(in.dim(0, 1) == in.dim(1, 0) && in[0].dtype == in[1].dtype);
  return {op_output("output", {in.dim(0, 0), in.dim(1, 1)}, in[0])};
}

std::vector<Tensor> infer_grad_input(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, 2, "dy[B,O], w[I,O]");
  in.require_rank(0, 2);
  in.require_rank(1, 2);
  in.require(in.dim(0, 1) == in.dim(1, 1) && in[0].dtype == in[1].dtype);
  return {op_output("input_gradient", {in.dim(0, 0), in.dim(1, 0)}, in[0])};
}

std::vector<Tensor> infer_grad_weight(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, 2, "x[B,I], dy[B,O]");
  in.require_rank(0, 2);
  in.require_rank(1, 2);
  in.require(in.dim(0, 0) == in.dim(1, 0) && in[0].dtype == in[1].dtype);
  return {op_output("weight_gradient", {in.dim(0, 1), in.dim(1, 1)}, in[0])};
}

double extent(const Tensor& tensor, std::size_t axis) { return static_cast<double>(tensor.shape[axis]); }

// y[B,O] = x[B,I] w and dx[B,I] = dy[B,O] wT: the columns of the first matrix are summed away.
OpCost cost(const std::vector<Tensor>& in, const std::vector<Tensor>& out, const Attributes&) {
  return {2 * extent(in[0], 0) * extent(in[0], 1) * extent(out[0], 1), bytes_moved(in, out)};
}

// dw[I,O] = xT dy: the rows are.
OpCost cost_of_grad_weight(const std::vector<Tensor>& in, const std::vector<Tensor>& out, const Attributes&) {
  return {2 * extent(in[0], 0) * extent(in[0], 1) * extent(in[1], 1), bytes_moved(in, out)};
}

void differentiate(GradientBuilder& builder, const GraphOp& op) {
  const TensorId x = op.inputs[0], weight = op.inputs[1], dy = builder.gradient(op.outputs[0]);
  if (builder.wanted(weight))
    builder.add_gradient(weight, builder.add_op(op, "dense_grad_weight", "grad_weight", {x, dy}));
  if (builder.wanted(x)) builder.add_gradient(x, builder.add_op(op, "dense_grad_input", "grad_input", {dy, weight}));
}

constexpr OpRule kRules[] = {
    {"dense", infer_dense, cost, differentiate},
    {"dense_grad_input", infer_grad_input, cost, nullptr},
    {"dense_grad_weight", infer_grad_weight, cost_of_grad_weight, nullptr},
};

}  // namespace

std::span<const OpRule> dense_rules() { return kRules; }

}  // namespace dtbench
