// Layer normalisation (Ba, Kiros, Hinton 2016) over the last dimension. Mean and 1 / standard deviation of each row are
// kept for the backward pass; they and the parameters are float32 even where the rows are stored in 16 bits.
#include "engine/plan/autodiff.h"
#include "engine/plan/op_inputs.h"
#include "engine/plan/ops/rules.h"

namespace dtbench {

namespace {

Shape row_statistics(const Shape& rows) { return Shape(rows.begin(), rows.end() - 1); }

DType statistics_type(DType rows) { return rows == DType::float64 ? DType::float64 : DType::float32; }

Tensor statistics(std::string name, const OpInputs& in, std::size_t rows) {
  Tensor tensor = op_output(std::move(name), row_statistics(in.shape(rows)), in[rows]);
  tensor.dtype = statistics_type(in[rows].dtype);
  return tensor;
}

void require_rows(const OpInputs& in, std::size_t i) {
  in.require(in.shape(i).size() >= 2 && in[i].dtype != DType::int32);
}

void require_vector(const OpInputs& in, std::size_t i, std::size_t rows) {
  in.require(in.shape(i) == Shape{in.shape(rows).back()} && in[i].dtype == statistics_type(in[rows].dtype));
}

std::vector<Tensor> infer(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, 3, "x[..., H], gamma[H], beta[H]");
  require_rows(in, 0);
  require_vector(in, 1, 0);
  require_vector(in, 2, 0);
  in.attribute("epsilon");
  return {op_output("output", in.shape(0), in[0]), statistics("mean", in, 0), statistics("inverse_deviation", in, 0)};
}

std::vector<Tensor> infer_grad(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, 5, "dy[..., H], x[..., H], gamma[H], mean[...], inverse_deviation[...]");
  require_rows(in, 1);
  in.require(in.shape(0) == in.shape(1) && in[0].dtype == in[1].dtype);
  require_vector(in, 2, 1);
  for (const std::size_t i : {3, 4}) in.require(in.shape(i) == row_statistics(in.shape(1)));
  return {op_output("input_gradient", in.shape(1), in[1]), op_output("gamma_gradient", in.shape(2), in[2]),
          op_output("beta_gradient", in.shape(2), in[2])};
}

// Sum, squared distances (3), normalising (2), scale and shift (2).
OpCost cost(const std::vector<Tensor>& in, const std::vector<Tensor>& out, const Attributes&) {
  return {8 * static_cast<double>(in[0].elements()), bytes_moved(in, out)};
}

// Normalised x (2), both parameter gradients (3), two sums of dy gamma (4), dx (5).
OpCost cost_of_grad(const std::vector<Tensor>& in, const std::vector<Tensor>& out, const Attributes&) {
  return {14 * static_cast<double>(in[0].elements()), bytes_moved(in, out)};
}

void differentiate(GradientBuilder& builder, const GraphOp& op) {
  const TensorId x = op.inputs[0], gamma = op.inputs[1];
  const TensorId dy = builder.gradient(op.outputs[0]);
  const std::vector<TensorId> gradients =
      builder.add_op_all(op, "layer_norm_grad", "gradient", {dy, x, gamma, op.outputs[1], op.outputs[2]});
  for (std::size_t i = 0; i < gradients.size(); ++i)
    if (const TensorId input = op.inputs[i]; builder.wanted(input)) builder.add_gradient(input, gradients[i]);
}

constexpr OpRule kRules[] = {
    {"layer_norm", infer, cost, differentiate},
    {"layer_norm_grad", infer_grad, cost_of_grad, nullptr},
};

}  // namespace

std::span<const OpRule> layer_norm_rules() { return kRules; }

}  // namespace dtbench
