// What BERT and GPT share: embeddings, layer norm, attention and feed-forward blocks.
#pragma once

#include <string>

#include "engine/plan/models/layers.h"
#include "engine/plan/models/model.h"

namespace dtbench {

/// Options that both families have, as numbers.
struct TransformerShape {
  std::int64_t hidden = 0, heads = 0, intermediate = 0;
  bool causal = false;
  double gelu_approximate = 0;  ///< 1: the tanh form
  std::int64_t dropout_percent = 0;
  InitialLaw law = normal_002;
  Initial residual_initial;  ///< of the weights whose product is added to the residual stream
};

/// rows of a table [rows, hidden] chosen by ids.
TensorId add_embedding(Graph& graph, const std::string& layer, TensorId table, TensorId ids);
/// The first rows of a table of learned positions, added to every sample of x[B,S,H].
TensorId add_positions(Graph& graph, const std::string& layer, TensorId x, std::int64_t positions, Initial initial);
TensorId add_layer_norm(Graph& graph, const std::string& layer, TensorId x, double epsilon);
/// Self-attention with its projections and dropout of its probabilities, then dropout: what is added to x.
TensorId add_attention_block(Graph& graph, const std::string& layer, TensorId x, const TransformerShape& shape);
/// Dense, gelu, dense, then dropout.
TensorId add_feed_forward_block(Graph& graph, const std::string& layer, TensorId x, const TransformerShape& shape);

/// Sets `intermediate` (4 x hidden) and `positions` where they are 0; errors when heads do not divide hidden or the
/// sequence is longer than the positions.
void complete_transformer(ModelOptions& options, std::string_view model, std::int64_t published_positions);

}  // namespace dtbench
