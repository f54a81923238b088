#include "engine/plan/models/bert.h"

#include <fmt/core.h>

#include <algorithm>

#include "engine/plan/models/input_names.h"
#include "engine/plan/models/transformer_layers.h"
#include "topologies/base/error.h"

namespace dtbench {

namespace {

constexpr double kEpsilon = 1e-12;
constexpr std::int64_t kPublishedPositions = 512, kSegmentKinds = 2, kIsNextClasses = 2;

constexpr ModelOption kOptions[] = {
    {"hidden", 768, 1, 1 << 20, "width of the residual stream"},
    {"layers", 12, 1, 4096, "transformer layers"},
    {"heads", 12, 1, 1 << 16, "attention heads; they divide hidden"},
    {"intermediate", 0, 0, 1 << 24, "units of a feed-forward block (0: 4 x hidden)"},
    {"seq-len", 128, 2, 1 << 20, "tokens of a sequence"},
    {"vocab", 30522, 4, 1 << 28, "entries of the token table"},
    {"positions", 0, 0, 1 << 20, "entries of the position table (0: 512 or seq-len)"},
    {"predictions", 0, 0, 1 << 20, "masked tokens a sequence (0: 20 at 128 tokens, 80 at 512, else 15 %)"},
    {"dropout-percent", 10, 0, 99, "0: no dropout"},
};

std::int64_t published_predictions(std::int64_t length) {
  if (length == 128) return 20;
  if (length == 512) return 80;
  return std::max<std::int64_t>(1, length * 15 / 100);
}

void complete(ModelOptions& options, std::string_view model) {
  complete_transformer(options, model, kPublishedPositions);
  std::int64_t& predictions = options["predictions"];
  const std::int64_t length = options.at("seq-len");
  if (predictions == 0) predictions = published_predictions(length);
  if (predictions > length)
    throw_bad_input({fmt::format("--predictions of model '{}'", model), fmt::format("{}", predictions),
                     fmt::format("at most --seq-len {}", length), ""});
}

class Bert {
 public:
  Bert(Graph& graph, const ModelOptions& options, std::int64_t batch) : graph_(graph), options_(options) {
    const std::int64_t length = options.at("seq-len"), predictions = options.at("predictions");
    tokens_ = add_ids(graph, kTokens, {batch, length});
    segments_ = add_ids(graph, kSegments, {batch, length});
    masked_positions_ = add_ids(graph, kMaskedPositions, {batch, predictions});
    class_position_ = add_ids(graph, kClassPosition, {batch, 1});
    masked_tokens_ = add_labels(graph, kMaskedTokens, {batch, predictions});
    is_next_ = add_labels(graph, kIsNext, {batch, 1});
    const std::int64_t hidden = options.at("hidden");
    shape_ = {hidden,
              options.at("heads"),
              options.at("intermediate"),
              false,
              0,
              options.at("dropout-percent"),
              truncated_normal_002,
              truncated_normal_002({})};
    token_table_ = add_parameter(graph, "embedding/tokens/table", {options.at("vocab"), hidden}, shape_.law({}));
  }

  TensorId encoder() {
    TensorId x = embeddings();
    for (std::int64_t layer = 1; layer <= options_.at("layers"); ++layer) {
      const std::string name = fmt::format("layer{}", layer);
      x = residual_norm(name + "/attention", x, add_attention_block(graph_, name + "/attention", x, shape_));
      x = residual_norm(name + "/feed_forward", x, add_feed_forward_block(graph_, name + "/feed_forward", x, shape_));
    }
    return x;
  }

  TensorId masked_token_loss(TensorId encoded) {
    TensorId x = graph_.add_op("gather_rows", "masked/gather/forward", {encoded, masked_positions_});
    x = add_dense(graph_, "masked/transform", x, shape_.hidden, shape_.law);
    x = graph_.add_op("gelu", "masked/gelu/forward", {x}, {{"approximate", shape_.gelu_approximate}});
    x = add_layer_norm(graph_, "masked/norm", x, kEpsilon);
    x = graph_.add_op("dense", "masked/decoder/forward", {x, token_table_}, {{"transpose_weight", 1}});
    const TensorId bias = add_parameter(graph_, "masked/bias", {options_.at("vocab")}, kZeros);
    x = graph_.add_op("bias", "masked/bias/forward", {x, bias});
    return add_mean_loss(graph_, "masked/loss", x, masked_tokens_);
  }

  TensorId next_sentence_loss(TensorId encoded) {
    TensorId x = graph_.add_op("gather_rows", "pooler/gather/forward", {encoded, class_position_});
    x = add_dense(graph_, "pooler", x, shape_.hidden, shape_.law);
    x = graph_.add_op("tanh", "pooler/tanh/forward", {x});
    x = add_dense(graph_, "next_sentence", x, kIsNextClasses, shape_.law);
    return add_mean_loss(graph_, "next_sentence/loss", x, is_next_);
  }

 private:
  TensorId embeddings() {
    TensorId x = add_embedding(graph_, "embedding/tokens", token_table_, tokens_);
    const TensorId table =
        add_parameter(graph_, "embedding/segments/table", {kSegmentKinds, shape_.hidden}, shape_.law({}));
    const TensorId segments = add_embedding(graph_, "embedding/segments", table, segments_);
    x = graph_.add_op("add", "embedding/sum/forward", {x, segments});
    x = add_positions(graph_, "embedding/positions", x, options_.at("positions"), shape_.law({}));
    x = add_layer_norm(graph_, "embedding/norm", x, kEpsilon);
    return add_dropout(graph_, "embedding/dropout", x, shape_.dropout_percent);
  }

  TensorId residual_norm(const std::string& name, TensorId x, TensorId change) {
    return add_layer_norm(graph_, name + "/norm", graph_.add_op("add", name + "/add/forward", {x, change}), kEpsilon);
  }

  Graph& graph_;
  const ModelOptions& options_;
  TransformerShape shape_;
  TensorId tokens_, segments_, masked_positions_, class_position_, masked_tokens_, is_next_, token_table_;
};

Graph build(const ModelOptions& options, std::int64_t batch) {
  Graph graph;
  Bert bert(graph, options, batch);
  const TensorId encoded = bert.encoder();
  const TensorId masked = bert.masked_token_loss(encoded);
  graph.loss = graph.add_op("add", "loss/forward", {masked, bert.next_sentence_loss(encoded)});
  return graph;
}

}  // namespace

ModelFamily bert_family() {
  return {"bert", "BERT with both pre-training heads, of any size", kOptions, 8, "sequences", complete, build};
}

}  // namespace dtbench
