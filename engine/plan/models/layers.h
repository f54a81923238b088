// What the model families share: inputs, parameters with the law they are drawn from, and the layers made of several
// operations.
#pragma once

#include <string>

#include "engine/plan/graph.h"

namespace dtbench {

TensorId add_input(Graph& graph, std::string name, Shape shape);   ///< float32
TensorId add_ids(Graph& graph, std::string name, Shape shape);     ///< int32: tokens, positions
TensorId add_labels(Graph& graph, std::string name, Shape shape);  ///< int32, what the loss compares with
TensorId add_parameter(Graph& graph, std::string name, Shape shape, Initial initial);
/// Written by the forward pass, not trained: running statistics.
TensorId add_state(Graph& graph, std::string name, Shape shape, Initial initial);

/// Draws a weight by its shape ([..., in, out]; convolutions [KH,KW,C/g,K]).
using InitialLaw = Initial (*)(const Shape& weight);

/// He et al. 2015 (Delving Deep into Rectifiers): normal with variance 2 / fan-in, or 2 / fan-out.
Initial he_normal_fan_in(const Shape& weight);
Initial he_normal_fan_out(const Shape& weight);
/// Uniform within +-1 / sqrt(fan-in): what torch.nn.Linear and Conv2d draw by default.
Initial uniform_fan_in(const Shape& weight);
/// Normal with deviation 0.01 (dense layers of VGG), with 0.02 (GPT-2), truncated at 2 deviations with 0.02 (BERT).
Initial normal_001(const Shape& weight);
Initial normal_002(const Shape& weight);
Initial truncated_normal_002(const Shape& weight);
inline constexpr Initial kZeros{};
inline constexpr Initial kOnes{1, 0, Initial::Law::normal};

/// x[..., I] * w[I, units] + b (zeros without a law of its own), as "<layer>/dense/forward" and "<layer>/bias/forward".
TensorId add_dense(Graph& graph, const std::string& layer, TensorId x, std::int64_t units, InitialLaw law,
                   InitialLaw bias_law = nullptr);

struct ConvolutionShape {
  std::int64_t channels = 1, kernel = 1, stride = 1, padding = 0;
};

/// Square kernel, weight [k,k,C,channels]; no bias.
TensorId add_convolution(Graph& graph, const std::string& layer, TensorId x, const ConvolutionShape& shape,
                         InitialLaw law);
/// As "<layer>/conv/forward" and "<layer>/bias/forward".
TensorId add_convolution_with_bias(Graph& graph, const std::string& layer, TensorId x, const ConvolutionShape& shape,
                                   InitialLaw law, InitialLaw bias_law = nullptr);
/// Over all but the last dimension, with gamma and beta that are trained and running statistics that are not.
TensorId add_batch_norm(Graph& graph, const std::string& layer, TensorId x, double epsilon = 1e-5,
                        double momentum = 0.1);
TensorId add_max_pool(Graph& graph, const std::string& layer, TensorId x, std::int64_t window, std::int64_t stride,
                      std::int64_t padding);
/// [B,H,W,C] as [B, H*W*C].
TensorId add_flatten(Graph& graph, const std::string& layer, TensorId x);
/// Nothing at all when `percent` is 0. Each dropout of a graph draws numbers of its own.
TensorId add_dropout(Graph& graph, const std::string& layer, TensorId x, std::int64_t percent);
/// Rate and a salt that no op of the graph has yet; none when `percent` is 0.
Attributes dropout_attributes(const Graph& graph, std::int64_t percent);

/// Softmax cross-entropy with scale 1 / labels: the mean over the labels of one replica.
TensorId add_mean_loss(Graph& graph, const std::string& layer, TensorId logits, TensorId labels);

}  // namespace dtbench
