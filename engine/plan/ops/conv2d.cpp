// Convolution of images, in groups of channels (as many groups as channels: depthwise), and its two gradients.
#include "engine/plan/autodiff.h"
#include "engine/plan/ops/rules.h"
#include "engine/plan/ops/window.h"

namespace dtbench {

namespace {

// w[KH,KW,C/g,K] for x with `channels` and y with `filters` channels.
void require_weight(const OpInputs& in, const GraphOp& op, const Shape& w, std::int64_t channels,
                    std::int64_t filters) {
  const auto found = op.attributes.find("groups");
  const std::int64_t groups = found == op.attributes.end() ? 1 : required_whole(in, "groups", 1);
  in.require(channels % groups == 0 && filters % groups == 0 && w[2] == channels / groups && w[3] == filters);
}

std::vector<Tensor> infer_conv(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, 2, "x[B,H,W,C], w[KH,KW,C/groups,K], the window within the padded image");
  in.require_rank(0, 4);
  in.require_rank(1, 4);
  in.require(in[0].dtype == in[1].dtype);
  require_weight(in, op, in.shape(1), in.dim(0, 3), in.dim(1, 3));
  const Window window = window_of(in, op, in.dim(1, 0), in.dim(1, 1));
  return {op_output("output", window_output(in, in.shape(0), window, in.dim(1, 3)), in[0])};
}

std::vector<Tensor> infer_grad_input(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, 2, "dy[B,Ho,Wo,K], w[KH,KW,C/groups,K] of an image of 'height' x 'width'");
  in.require_rank(0, 4);
  in.require_rank(1, 4);
  in.require(in[0].dtype == in[1].dtype);
  const std::int64_t groups = whole(op.attributes, "groups", 1);
  const Shape x = {in.dim(0, 0), required_whole(in, "height", 1), required_whole(in, "width", 1),
                   in.dim(1, 2) * groups};
  require_weight(in, op, in.shape(1), x[3], in.dim(0, 3));
  const Window window = window_of(in, op, in.dim(1, 0), in.dim(1, 1));
  in.require(window_output(in, x, window, in.dim(0, 3)) == in.shape(0));
  return {op_output("input_gradient", x, in[0])};
}

std::vector<Tensor> infer_grad_weight(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, 2, "x[B,H,W,C], dy[B,Ho,Wo,K] of weights of 'kernel_height' x 'kernel_width'");
  in.require_rank(0, 4);
  in.require_rank(1, 4);
  in.require(in[0].dtype == in[1].dtype);
  const std::int64_t groups = whole(op.attributes, "groups", 1);
  in.require(groups >= 1);
  const Shape w = {required_whole(in, "kernel_height", 1), required_whole(in, "kernel_width", 1), in.dim(0, 3) / groups,
                   in.dim(1, 3)};
  require_weight(in, op, w, in.dim(0, 3), in.dim(1, 3));
  in.require(window_output(in, in.shape(0), window_of(in, op, w[0], w[1]), w[3]) == in.shape(1));
  return {op_output("weight_gradient", w, in[0])};
}

// Each output pixel is a sum over the window and the channels of its group; taps on padding count, as they do in
// published numbers.
OpCost cost_of(const Tensor& y, const Tensor& w, double bytes) {
  const double taps = static_cast<double>(w.shape[0] * w.shape[1] * w.shape[2]);
  return {2 * static_cast<double>(y.elements()) * taps, bytes};
}

OpCost cost(const std::vector<Tensor>& in, const std::vector<Tensor>& out, const Attributes&) {
  return cost_of(out[0], in[1], bytes_moved(in, out));
}

OpCost cost_of_grad_input(const std::vector<Tensor>& in, const std::vector<Tensor>& out, const Attributes&) {
  return cost_of(in[0], in[1], bytes_moved(in, out));
}

OpCost cost_of_grad_weight(const std::vector<Tensor>& in, const std::vector<Tensor>& out, const Attributes&) {
  return cost_of(in[1], out[0], bytes_moved(in, out));
}

void differentiate(GradientBuilder& builder, const GraphOp& op) {
  const TensorId x = op.inputs[0], weight = op.inputs[1], dy = builder.gradient(op.outputs[0]);
  const auto extent = [&](TensorId tensor, std::size_t axis) {
    return static_cast<double>(builder.tensor(tensor).shape[axis]);
  };
  if (builder.wanted(weight))
    builder.add_gradient(weight,
                         builder.add_op(op, "conv2d_grad_weight", "grad_weight", {x, dy},
                                        {{"kernel_height", extent(weight, 0)}, {"kernel_width", extent(weight, 1)}}));
  if (builder.wanted(x))
    builder.add_gradient(x, builder.add_op(op, "conv2d_grad_input", "grad_input", {dy, weight},
                                           {{"height", extent(x, 1)}, {"width", extent(x, 2)}}));
}

constexpr OpRule kRules[] = {
    {"conv2d", infer_conv, cost, differentiate},
    {"conv2d_grad_input", infer_grad_input, cost_of_grad_input, nullptr},
    {"conv2d_grad_weight", infer_grad_weight, cost_of_grad_weight, nullptr},
};

}  // namespace

std::span<const OpRule> conv2d_rules() { return kRules; }

}  // namespace dtbench
