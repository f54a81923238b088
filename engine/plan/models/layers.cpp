#include "engine/plan/models/layers.h"

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

TensorId add_mean_loss(Graph& graph, const std::string& layer, TensorId logits, TensorId labels) {
  const double scale = 1.0 / static_cast<double>(tensor_of(graph, labels).elements());
  return graph.add_op("softmax_cross_entropy", layer + "/forward", {logits, labels}, {{"scale", scale}});
}

}  // namespace dtbench
