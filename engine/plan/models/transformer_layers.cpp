#include "engine/plan/models/transformer_layers.h"

#include <fmt/core.h>

#include <algorithm>

#include "topologies/base/error.h"

namespace dtbench {

namespace {

const Shape& shape_of(const Graph& graph, TensorId id) { return graph.tensors[static_cast<std::size_t>(id)].shape; }

// A dense layer whose output joins the residual stream.
TensorId add_residual_dense(Graph& graph, const std::string& layer, TensorId x, const TransformerShape& shape) {
  const TensorId y = add_dense(graph, layer, x, shape.hidden, shape.law);
  for (Tensor& tensor : graph.tensors)
    if (tensor.name == layer + "/weight") tensor.initial = shape.residual_initial;
  return add_dropout(graph, layer + "/dropout", y, shape.dropout_percent);
}

}  // namespace

TensorId add_embedding(Graph& graph, const std::string& layer, TensorId table, TensorId ids) {
  return graph.add_op("embedding", layer + "/forward", {table, ids});
}

TensorId add_positions(Graph& graph, const std::string& layer, TensorId x, std::int64_t positions, Initial initial) {
  const std::int64_t length = shape_of(graph, x)[1], hidden = shape_of(graph, x)[2];
  TensorId rows = add_parameter(graph, layer + "/table", {positions, hidden}, initial);
  if (positions != length)
    rows = graph.add_op("slice_rows", layer + "/rows/forward", {rows}, {{"rows", static_cast<double>(length)}});
  return graph.add_op("bias", layer + "/add/forward", {x, rows});
}

TensorId add_layer_norm(Graph& graph, const std::string& layer, TensorId x, double epsilon) {
  const std::int64_t hidden = shape_of(graph, x).back();
  const TensorId gamma = add_parameter(graph, layer + "/gamma", {hidden}, kOnes);
  const TensorId beta = add_parameter(graph, layer + "/beta", {hidden}, kZeros);
  return graph.add_op("layer_norm", layer + "/forward", {x, gamma, beta}, {{"epsilon", epsilon}});
}

TensorId add_attention_block(Graph& graph, const std::string& layer, TensorId x, const TransformerShape& shape) {
  const TensorId qkv = add_dense(graph, layer + "/qkv", x, 3 * shape.hidden, shape.law);
  Attributes attributes = dropout_attributes(graph, shape.dropout_percent);
  attributes["heads"] = static_cast<double>(shape.heads);
  attributes["causal"] = shape.causal ? 1 : 0;
  const TensorId mixed = graph.add_op("attention", layer + "/heads/forward", {qkv}, attributes);
  return add_residual_dense(graph, layer + "/output", mixed, shape);
}

TensorId add_feed_forward_block(Graph& graph, const std::string& layer, TensorId x, const TransformerShape& shape) {
  x = add_dense(graph, layer + "/expand", x, shape.intermediate, shape.law);
  x = graph.add_op("gelu", layer + "/gelu/forward", {x}, {{"approximate", shape.gelu_approximate}});
  return add_residual_dense(graph, layer + "/output", x, shape);
}

void complete_transformer(ModelOptions& options, std::string_view model, std::int64_t published_positions) {
  const std::int64_t hidden = options.at("hidden"), heads = options.at("heads"), length = options.at("seq-len");
  if (hidden % heads != 0)
    throw_bad_input({fmt::format("--heads of model '{}'", model), fmt::format("{}", heads),
                     fmt::format("a divisor of --hidden {}", hidden), ""});
  if (options.at("intermediate") == 0) options["intermediate"] = 4 * hidden;
  std::int64_t& positions = options["positions"];
  if (positions == 0) positions = std::max(length, published_positions);
  if (length > positions)
    throw_bad_input({fmt::format("--seq-len of model '{}'", model), fmt::format("{}", length),
                     fmt::format("at most the {} positions it has", positions), "raise --positions too"});
}

}  // namespace dtbench
