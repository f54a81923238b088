#include "engine/plan/models/gpt.h"

#include <fmt/core.h>

#include <cmath>

#include "engine/plan/models/input_names.h"
#include "engine/plan/models/transformer_layers.h"

namespace dtbench {

namespace {

constexpr double kEpsilon = 1e-5;
constexpr std::int64_t kPublishedPositions = 1024;

constexpr ModelOption kOptions[] = {
    {"hidden", 768, 1, 1 << 20, "width of the residual stream"},
    {"layers", 12, 1, 4096, "transformer layers"},
    {"heads", 12, 1, 1 << 16, "attention heads; they divide hidden"},
    {"intermediate", 0, 0, 1 << 24, "units of a feed-forward block (0: 4 x hidden)"},
    {"seq-len", 1024, 2, 1 << 20, "tokens of a sequence"},
    {"vocab", 50257, 4, 1 << 28, "entries of the token table"},
    {"positions", 0, 0, 1 << 20, "entries of the position table (0: 1024 or seq-len)"},
    {"dropout-percent", 10, 0, 99, "0: no dropout"},
};

void complete(ModelOptions& options, std::string_view model) {
  complete_transformer(options, model, kPublishedPositions);
}

TransformerShape shape_of(const ModelOptions& options) {
  TransformerShape shape;
  shape.hidden = options.at("hidden");
  shape.heads = options.at("heads");
  shape.intermediate = options.at("intermediate");
  shape.causal = true;
  shape.gelu_approximate = 1;
  shape.dropout_percent = options.at("dropout-percent");
  shape.law = normal_002;
  shape.residual_initial = normal_002({});
  shape.residual_initial.deviation /= std::sqrt(2 * static_cast<double>(options.at("layers")));
  return shape;
}

TensorId add_layer(Graph& graph, const std::string& name, TensorId x, const TransformerShape& shape) {
  const std::string attention = name + "/attention", feed_forward = name + "/feed_forward";
  TensorId y = add_layer_norm(graph, attention + "/norm", x, kEpsilon);
  x = graph.add_op("add", attention + "/add/forward", {x, add_attention_block(graph, attention, y, shape)});
  y = add_layer_norm(graph, feed_forward + "/norm", x, kEpsilon);
  return graph.add_op("add", feed_forward + "/add/forward", {x, add_feed_forward_block(graph, feed_forward, y, shape)});
}

Graph build(const ModelOptions& options, std::int64_t batch) {
  Graph graph;
  const Shape tokens_shape = {batch, options.at("seq-len")};
  const TensorId tokens = add_ids(graph, kTokens, tokens_shape);
  const TensorId next_tokens = add_labels(graph, kNextTokens, tokens_shape);
  const TransformerShape shape = shape_of(options);
  const TensorId table = add_parameter(graph, "embedding/table", {options.at("vocab"), shape.hidden}, shape.law({}));
  TensorId x = add_embedding(graph, "embedding", table, tokens);
  x = add_positions(graph, "positions", x, options.at("positions"), shape.law({}));
  x = add_dropout(graph, "embedding/dropout", x, shape.dropout_percent);
  for (std::int64_t layer = 1; layer <= options.at("layers"); ++layer)
    x = add_layer(graph, fmt::format("layer{}", layer), x, shape);
  x = add_layer_norm(graph, "norm", x, kEpsilon);
  x = graph.add_op("dense", "output/forward", {x, table}, {{"transpose_weight", 1}});
  graph.loss = add_mean_loss(graph, "loss", x, next_tokens);
  return graph;
}

}  // namespace

ModelFamily gpt_family() { return {"gpt", "GPT-2 of any size", kOptions, 8, "sequences", complete, build}; }

}  // namespace dtbench
