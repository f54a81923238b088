#include "engine/plan/models/mlp.h"

#include <fmt/core.h>

namespace dtbench {

namespace {

TensorId add_parameter(Graph& graph, std::string name, Shape shape) {
  Tensor parameter;
  parameter.name = std::move(name);
  parameter.shape = std::move(shape);
  parameter.role = TensorRole::parameter;
  return graph.add_tensor(std::move(parameter));
}

TensorId add_dense_with_bias(Graph& graph, const std::string& layer, TensorId x, std::int64_t units) {
  const std::int64_t width = graph.tensors[static_cast<std::size_t>(x)].shape[1];
  const TensorId weight = add_parameter(graph, layer + "/weight", {width, units});
  const TensorId bias = add_parameter(graph, layer + "/bias", {units});
  const TensorId product = graph.add_op("dense", layer + "/dense/forward", {x, weight});
  return graph.add_op("bias", layer + "/bias/forward", {product, bias});
}

}  // namespace

ModelOptions mlp_defaults() { return {{"hidden", 2048}, {"layers", 4}, {"inputs", 784}, {"classes", 10}}; }

ModelOptions mlp_limits() { return {{"hidden", 1 << 24}, {"layers", 1024}, {"inputs", 1 << 30}, {"classes", 1 << 30}}; }

Graph build_mlp(const ModelOptions& options, std::int64_t batch) {
  Graph graph;
  graph.model = "mlp";
  Tensor features{"features", {batch, options.at("inputs")}, DType::float32, TensorRole::input, {}, {}, {}};
  Tensor labels{"labels", {batch}, DType::int32, TensorRole::label, {}, {}, {}};
  TensorId x = graph.add_tensor(std::move(features));
  const TensorId label_tensor = graph.add_tensor(std::move(labels));
  for (std::int64_t layer = 1; layer <= options.at("layers"); ++layer) {
    const std::string name = fmt::format("layer{}", layer);
    x = add_dense_with_bias(graph, name, x, options.at("hidden"));
    x = graph.add_op("relu", name + "/relu/forward", {x});
  }
  x = add_dense_with_bias(graph, "output", x, options.at("classes"));
  const double scale = 1.0 / static_cast<double>(batch);
  graph.loss = graph.add_op("softmax_cross_entropy", "loss/forward", {x, label_tensor}, {{"scale", scale}});
  return graph;
}

}  // namespace dtbench
