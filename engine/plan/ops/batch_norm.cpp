// Batch normalisation in two operations a pass, so that the sums between them can be added up over replicas
// (strategies/sync_batch_norm.h): statistics of the batch, then the normalisation; sums of the gradient, then the
// gradient of the input. README.md says what is summed and why in double precision.
#include "engine/plan/autodiff.h"
#include "engine/plan/op_inputs.h"
#include "engine/plan/ops/rules.h"

namespace dtbench {

namespace {

constexpr std::string_view kForward =
    "x[...,C], float64 statistics[2C+1], gamma[C], beta[C], running_mean[C], running_variance[C]";

std::int64_t channels(const OpInputs& in, std::size_t x) {
  in.require(in.shape(x).size() >= 2);
  return in.shape(x).back();
}

void require_statistics(const OpInputs& in, std::size_t i, std::int64_t channels) {
  in.require(in.shape(i) == Shape{2 * channels + 1} && in[i].dtype == DType::float64);
}

// Parameters and running values stay float32 whatever the activations are.
void require_float32(const OpInputs& in, std::size_t i, std::int64_t elements) {
  in.require(in.shape(i) == Shape{elements} && in[i].dtype == DType::float32);
}

std::vector<Tensor> infer_statistics(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, 1, "x[...,C]");
  Tensor statistics = op_output("statistics", {2 * channels(in, 0) + 1}, in[0]);
  statistics.dtype = DType::float64;
  return {std::move(statistics)};
}

std::vector<Tensor> infer_normalise(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, 6, kForward);
  const std::int64_t c = channels(in, 0);
  require_statistics(in, 1, c);
  for (std::size_t i = 2; i < 6; ++i) require_float32(in, i, c);
  in.attribute("epsilon");
  in.attribute("momentum");
  return {op_output("output", in.shape(0), in[0]), in[4], in[5]};
}

std::vector<Tensor> infer_inference(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, 5, "x[...,C], gamma[C], beta[C], running_mean[C], running_variance[C]");
  const std::int64_t c = channels(in, 0);
  for (std::size_t i = 1; i < 5; ++i) require_float32(in, i, c);
  in.attribute("epsilon");
  return {op_output("output", in.shape(0), in[0])};
}

std::vector<Tensor> infer_grad_statistics(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, 4, "dy[...,C], x[same], float64 statistics[2C+1], gamma[C]");
  const std::int64_t c = channels(in, 0);
  in.require(in.shape(0) == in.shape(1) && in[0].dtype == in[1].dtype);
  require_statistics(in, 2, c);
  require_float32(in, 3, c);
  in.attribute("epsilon");
  return {op_output("gradient_sums", {2 * c}, in[3]), op_output("gamma_gradient", {c}, in[3]),
          op_output("beta_gradient", {c}, in[3])};
}

std::vector<Tensor> infer_grad_input(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, 5, "dy[...,C], x[same], float64 statistics[2C+1], gamma[C], gradient_sums[2C]");
  const std::int64_t c = channels(in, 0);
  in.require(in.shape(0) == in.shape(1) && in[0].dtype == in[1].dtype);
  require_statistics(in, 2, c);
  require_float32(in, 3, c);
  require_float32(in, 4, 2 * c);
  in.attribute("epsilon");
  return {op_output("input_gradient", in.shape(0), in[0])};
}

// FLOPs an element of x: subtract the shift, square, two sums; subtract, multiply, add; subtract, multiply, two sums;
// subtract, two products, two sums.
template <int flops>
OpCost cost(const std::vector<Tensor>& in, const std::vector<Tensor>& out, const Attributes&) {
  return {flops * static_cast<double>(in[0].elements()), bytes_moved(in, out)};
}

void differentiate(GradientBuilder& builder, const GraphOp& op) {
  const TensorId x = op.inputs[0], statistics = op.inputs[1], gamma = op.inputs[2], beta = op.inputs[3];
  const TensorId dy = builder.gradient(op.outputs[0]);
  const std::vector<TensorId> sums =
      builder.add_op_all(op, "batch_norm_grad_statistics", "grad_statistics", {dy, x, statistics, gamma});
  if (builder.wanted(gamma)) builder.add_gradient(gamma, sums[1]);
  if (builder.wanted(beta)) builder.add_gradient(beta, sums[2]);
  if (builder.wanted(x))
    builder.add_gradient(
        x, builder.add_op(op, "batch_norm_grad_input", "grad_input", {dy, x, statistics, gamma, sums[0]}));
}

// The running values are updated where they stand.
constexpr InPlace kRunning[] = {{1, 4}, {2, 5}};

constexpr OpRule kRules[] = {
    {"batch_norm_statistics", infer_statistics, cost<4>, nullptr},
    {"batch_norm", infer_normalise, cost<3>, differentiate, kRunning},
    {"batch_norm_inference", infer_inference, cost<3>, nullptr},
    {"batch_norm_grad_statistics", infer_grad_statistics, cost<4>, nullptr},
    {"batch_norm_grad_input", infer_grad_input, cost<5>, nullptr},
};

}  // namespace

std::span<const OpRule> batch_norm_rules() { return kRules; }

}  // namespace dtbench
