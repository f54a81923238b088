// Matrix product of a batch with a weight, and its two gradients. All leading dimensions are rows. With
// `transpose_weight` 1 the weight is stored as [O,I]: an embedding table used again as the output layer.
#include "engine/plan/autodiff.h"
#include "engine/plan/op_inputs.h"
#include "engine/plan/ops/rules.h"

namespace dtbench {

namespace {

bool weight_is_transposed(const OpInputs& in, const GraphOp& op) {
  const auto given = op.attributes.find("transpose_weight");
  if (given == op.attributes.end()) return false;
  in.require(given->second == 0 || given->second == 1);
  return given->second == 1;
}

Shape with_last(Shape shape, std::int64_t last) {
  shape.back() = last;
  return shape;
}

/// The product of inputs[0] with the weight inputs[1], whose dimension `summed` is summed away.
Shape product_shape(const OpInputs& in, std::size_t summed) {
  in.require(in.shape(0).size() >= 2);
  in.require_rank(1, 2);
  in.require(in.shape(0).back() == in.dim(1, summed) && in[0].dtype == in[1].dtype);
  return with_last(in.shape(0), in.dim(1, 1 - summed));
}

std::vector<Tensor> infer_dense(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, 2, "x[..., I], w[I,O] (w[O,I] with transpose_weight 1)");
  return {op_output("output", product_shape(in, weight_is_transposed(in, op) ? 1 : 0), in[0])};
}

std::vector<Tensor> infer_grad_input(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, 2, "dy[..., O], w[I,O] (w[O,I] with transpose_weight 1)");
  return {op_output("input_gradient", product_shape(in, weight_is_transposed(in, op) ? 0 : 1), in[0])};
}

std::vector<Tensor> infer_grad_weight(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, 2, "x[..., I], dy[..., O]");
  in.require(in.shape(0).size() >= 2 && in.shape(0).size() == in.shape(1).size());
  in.require(with_last(in.shape(0), 0) == with_last(in.shape(1), 0) && in[0].dtype == in[1].dtype);
  const std::int64_t inputs = in.shape(0).back(), outputs = in.shape(1).back();
  const Shape shape = weight_is_transposed(in, op) ? Shape{outputs, inputs} : Shape{inputs, outputs};
  return {op_output("weight_gradient", shape, in[0])};
}

double last_extent(const Tensor& tensor) { return static_cast<double>(tensor.shape.back()); }

// y[...,O] = x[...,I] w and dx[...,I] = dy[...,O] wT: the columns of the first matrix are summed away.
OpCost cost(const std::vector<Tensor>& in, const std::vector<Tensor>& out, const Attributes&) {
  return {2 * static_cast<double>(in[0].elements()) * last_extent(out[0]), bytes_moved(in, out)};
}

// dw[I,O] = xT dy: the rows are.
OpCost cost_of_grad_weight(const std::vector<Tensor>& in, const std::vector<Tensor>& out, const Attributes&) {
  return {2 * static_cast<double>(in[0].elements()) * last_extent(in[1]), bytes_moved(in, out)};
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
