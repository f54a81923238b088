#include "engine/plan/models/layers.h"

#include <algorithm>
#include <cmath>

namespace dtbench {

namespace {

const Tensor& tensor_of(const Graph& graph, TensorId id) { return graph.tensors[static_cast<std::size_t>(id)]; }

TensorId add_described(Graph& graph, std::string name, Shape shape, DType dtype, TensorRole role) {
  Tensor tensor;
  tensor.name = std::move(name);
  tensor.shape = std::move(shape);
  tensor.dtype = dtype;
  tensor.role = role;
  return graph.add_tensor(std::move(tensor));
}

// Of [..., in, out]: everything before them is the window that each output sees.
double window(const Shape& weight) {
  double elements = 1;
  for (std::size_t i = 0; i + 2 < weight.size(); ++i) elements *= static_cast<double>(weight[i]);
  return elements;
}
double fan_in(const Shape& weight) { return window(weight) * static_cast<double>(weight[weight.size() - 2]); }
double fan_out(const Shape& weight) { return window(weight) * static_cast<double>(weight.back()); }

}  // namespace

TensorId add_input(Graph& graph, std::string name, Shape shape) {
  return add_described(graph, std::move(name), std::move(shape), DType::float32, TensorRole::input);
}

TensorId add_ids(Graph& graph, std::string name, Shape shape) {
  return add_described(graph, std::move(name), std::move(shape), DType::int32, TensorRole::input);
}

TensorId add_labels(Graph& graph, std::string name, Shape shape) {
  return add_described(graph, std::move(name), std::move(shape), DType::int32, TensorRole::label);
}

TensorId add_state(Graph& graph, std::string name, Shape shape, Initial initial) {
  const TensorId id = add_described(graph, std::move(name), std::move(shape), DType::float32, TensorRole::state);
  graph.tensors.back().initial = initial;
  return id;
}

TensorId add_parameter(Graph& graph, std::string name, Shape shape, Initial initial) {
  const TensorId id = add_described(graph, std::move(name), std::move(shape), DType::float32, TensorRole::parameter);
  graph.tensors.back().initial = initial;
  return id;
}

Initial he_normal_fan_in(const Shape& weight) { return {0, std::sqrt(2 / fan_in(weight)), Initial::Law::normal}; }

Initial he_normal_fan_out(const Shape& weight) { return {0, std::sqrt(2 / fan_out(weight)), Initial::Law::normal}; }

// The deviation of a uniform draw within +-a is a / sqrt(3).
Initial uniform_fan_in(const Shape& weight) { return {0, std::sqrt(1 / (3 * fan_in(weight))), Initial::Law::uniform}; }

Initial normal_001(const Shape&) { return {0, 0.01, Initial::Law::normal}; }

Initial normal_002(const Shape&) { return {0, 0.02, Initial::Law::normal}; }

Initial truncated_normal_002(const Shape&) { return {0, 0.02, Initial::Law::truncated_normal}; }

TensorId add_dense(Graph& graph, const std::string& layer, TensorId x, std::int64_t units, InitialLaw law,
                   InitialLaw bias_law) {
  const Shape shape = {tensor_of(graph, x).shape.back(), units};
  const TensorId weight = add_parameter(graph, layer + "/weight", shape, law(shape));
  const TensorId bias = add_parameter(graph, layer + "/bias", {units}, bias_law != nullptr ? bias_law(shape) : kZeros);
  const TensorId product = graph.add_op("dense", layer + "/dense/forward", {x, weight});
  return graph.add_op("bias", layer + "/bias/forward", {product, bias});
}

TensorId add_convolution(Graph& graph, const std::string& layer, TensorId x, const ConvolutionShape& shape,
                         InitialLaw law) {
  const Shape weight_shape = {shape.kernel, shape.kernel, tensor_of(graph, x).shape.back(), shape.channels};
  const TensorId weight = add_parameter(graph, layer + "/weight", weight_shape, law(weight_shape));
  return graph.add_op("conv2d", layer + "/conv/forward", {x, weight},
                      {{"stride", static_cast<double>(shape.stride)}, {"padding", static_cast<double>(shape.padding)}});
}

TensorId add_convolution_with_bias(Graph& graph, const std::string& layer, TensorId x, const ConvolutionShape& shape,
                                   InitialLaw law, InitialLaw bias_law) {
  const Shape weight_shape = {shape.kernel, shape.kernel, tensor_of(graph, x).shape.back(), shape.channels};
  const TensorId y = add_convolution(graph, layer, x, shape, law);
  const Initial initial = bias_law != nullptr ? bias_law(weight_shape) : kZeros;
  const TensorId bias = add_parameter(graph, layer + "/bias", {shape.channels}, initial);
  return graph.add_op("bias", layer + "/bias/forward", {y, bias});
}

TensorId add_batch_norm(Graph& graph, const std::string& layer, TensorId x, double epsilon, double momentum) {
  const Shape channels = {tensor_of(graph, x).shape.back()};
  const TensorId gamma = add_parameter(graph, layer + "/gamma", channels, kOnes);
  const TensorId beta = add_parameter(graph, layer + "/beta", channels, kZeros);
  const TensorId mean = add_state(graph, layer + "/running_mean", channels, kZeros);
  const TensorId variance = add_state(graph, layer + "/running_variance", channels, kOnes);
  const TensorId statistics = graph.add_op("batch_norm_statistics", layer + "/statistics", {x});
  return graph.add_op("batch_norm", layer + "/forward", {x, statistics, gamma, beta, mean, variance},
                      {{"epsilon", epsilon}, {"momentum", momentum}});
}

TensorId add_max_pool(Graph& graph, const std::string& layer, TensorId x, std::int64_t window, std::int64_t stride,
                      std::int64_t padding) {
  return graph.add_op("max_pool2d", layer + "/forward", {x},
                      {{"window", static_cast<double>(window)},
                       {"stride", static_cast<double>(stride)},
                       {"padding", static_cast<double>(padding)}});
}

TensorId add_flatten(Graph& graph, const std::string& layer, TensorId x) {
  const Tensor& tensor = tensor_of(graph, x);
  const std::int64_t features = tensor.elements() / tensor.shape.front();
  return graph.add_op("reshape", layer + "/forward", {x}, {{"dim1", static_cast<double>(features)}});
}

TensorId add_dropout(Graph& graph, const std::string& layer, TensorId x, std::int64_t percent) {
  if (percent == 0) return x;
  return graph.add_op("dropout", layer + "/forward", {x}, dropout_attributes(graph, percent));
}

Attributes dropout_attributes(const Graph& graph, std::int64_t percent) {
  if (percent == 0) return {};
  const auto earlier = std::count_if(graph.ops.begin(), graph.ops.end(),
                                     [](const GraphOp& op) { return op.attributes.contains("salt"); });
  return {{"rate", static_cast<double>(percent) / 100}, {"salt", static_cast<double>(earlier + 1)}};
}

TensorId add_mean_loss(Graph& graph, const std::string& layer, TensorId logits, TensorId labels) {
  const double scale = 1.0 / static_cast<double>(tensor_of(graph, labels).elements());
  return graph.add_op("softmax_cross_entropy", layer + "/forward", {logits, labels}, {{"scale", scale}});
}

}  // namespace dtbench
