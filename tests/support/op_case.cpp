#include "tests/support/op_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "tests/support/graph_evaluator.h"
#include "topologies/base/error.h"

namespace dtbench::testing {

namespace {

constexpr std::string_view kProbabilities = "p";
constexpr std::string_view kStatistic = "statistic";  // float32 even beside 16-bit rows
constexpr std::string_view kNumbers = "numbers";      // of rows to choose
constexpr std::int64_t kRowsToChooseFrom = 7;
constexpr std::string_view kPositive = "positive";
constexpr std::string_view kMoments = "moments";

struct OpCase {
  std::string_view kind;
  std::vector<Tensor> (*inputs)(const OpSizes& sizes);
  Attributes attributes;
  Attributes (*sized)(const OpSizes& sizes) = nullptr;  ///< attributes that depend on the sizes
};

Tensor real(Shape shape, std::string_view name = "x") {
  return {.name = std::string(name), .shape = std::move(shape), .role = TensorRole::parameter};
}

Tensor labels(const OpSizes& s) {
  return {.name = "labels", .shape = {s.rows}, .dtype = DType::int32, .role = TensorRole::label};
}

using Tensors = std::vector<Tensor>;
Tensors two_matrices(const OpSizes& s) { return {real({s.rows, s.columns}), real({s.rows, s.columns})}; }
Tensors one_matrix(const OpSizes& s) { return {real({s.rows, s.columns})}; }
Tensors dense(const OpSizes& s) { return {real({s.rows, s.depth}), real({s.depth, s.columns})}; }
Tensors dense_grad_input(const OpSizes& s) { return {real({s.rows, s.depth}), real({s.columns, s.depth})}; }
Tensors dense_grad_weight(const OpSizes& s) { return {real({s.depth, s.rows}), real({s.depth, s.columns})}; }
Tensors bias(const OpSizes& s) { return {real({s.rows, s.columns}), real({s.columns})}; }
Tensors table(const OpSizes& s) { return {real({s.rows + 1, s.columns})}; }
Tensors softmax(const OpSizes& s) { return {real({s.rows, s.columns}), labels(s)}; }
Tensors softmax_grad(const OpSizes& s) { return {real({s.rows, s.columns}, kProbabilities), labels(s)}; }
Tensors three_vectors(const OpSizes& s) { return Tensors(3, real({s.rows * s.columns})); }

Tensor statistic(std::int64_t size) { return real({size}, kStatistic); }
Tensors layer_norm(const OpSizes& s) { return {real({s.rows, s.columns}), statistic(s.columns), statistic(s.columns)}; }
Tensors layer_norm_grad(const OpSizes& s) {
  return {real({s.rows, s.columns}), real({s.rows, s.columns}), statistic(s.columns), statistic(s.rows),
          statistic(s.rows)};
}
Tensor numbers(Shape shape) {
  return {.name = std::string(kNumbers), .shape = std::move(shape), .dtype = DType::int32, .role = TensorRole::label};
}
Tensors embedding(const OpSizes& s) { return {real({kRowsToChooseFrom, s.columns}), numbers({s.rows})}; }
Tensors embedding_grad(const OpSizes& s) { return {numbers({s.rows}), real({s.rows, s.columns})}; }
Tensors gather(const OpSizes& s) { return {real({s.rows, kRowsToChooseFrom, s.columns}), numbers({s.rows, 3})}; }
Tensors gather_grad(const OpSizes& s) { return {numbers({s.rows, 3}), real({s.rows, 3, s.columns})}; }

// The oracle walks over every pair of positions: 0 to 3 sequences of 1 to 19 positions, 1 to 3 heads of 1 to 5
// elements.
struct AttentionSizes {
  std::int64_t batch, sequence, heads, hidden;
  explicit AttentionSizes(const OpSizes& s)
      : batch(std::min<std::int64_t>(s.rows, 3)),
        sequence(1 + (s.columns - 1) % 19),
        heads(1 + (s.depth - 1) % 3),
        hidden(heads * (1 + s.depth % 5)) {}
};
Attributes attention_attributes(const OpSizes& s) {
  Attributes attributes = {{"heads", static_cast<double>(AttentionSizes(s).heads)},
                           {"causal", static_cast<double>(s.rows % 2)}};
  if (s.columns % 2 == 1) attributes.insert({{"rate", 0.25}, {"salt", 3}});
  return attributes;
}
Tensors attention(const OpSizes& s) {
  const AttentionSizes sizes(s);
  return {real({sizes.batch, sizes.sequence, 3 * sizes.hidden})};
}
Tensors attention_grad(const OpSizes& s) {
  const AttentionSizes sizes(s);
  return {real({sizes.batch, sizes.sequence, sizes.hidden}), real({sizes.batch, sizes.sequence, 3 * sizes.hidden}),
          real({sizes.batch, sizes.heads, sizes.sequence, sizes.sequence}, kProbabilities)};
}
Tensor whole(Shape shape) { return {.name = "whole", .shape = std::move(shape), .dtype = DType::int32}; }
Tensors loss_scale(const OpSizes&) { return {whole({1}), whole({1}), real({1}), whole({3})}; }

// Images stay small whatever the sizes: the oracle walks over every product. No window of theirs lies all outside.
Shape image(const OpSizes& s) {
  return {std::min(s.rows, std::int64_t{4}), 1 + s.depth % 5, 1 + s.depth % 3, 1 + s.columns % 3};
}
Tensors one_image(const OpSizes& s) { return {real(image(s))}; }

// A 3 x 3 window with stride 2 and padding 1 halves the image, rounded up.
Shape halved(const OpSizes& s, std::int64_t channels) {
  const Shape x = image(s);
  return {x[0], (x[1] + 1) / 2, (x[2] + 1) / 2, channels};
}
constexpr std::int64_t kFilters = 2;
const Attributes kWindow = {{"window", 3}, {"stride", 2}, {"padding", 1}};
Shape filters(const OpSizes& s) { return {3, 3, image(s)[3], kFilters}; }

Tensors convolution(const OpSizes& s) { return {real(image(s)), real(filters(s))}; }
Tensors convolution_grad_weight(const OpSizes& s) { return {real(image(s)), real(halved(s, kFilters))}; }
// The image of 4 x 4 does not depend on the sizes: its extent is an attribute.
Tensors convolution_grad_input(const OpSizes& s) {
  return {real({std::min(s.rows, std::int64_t{4}), 2, 2, kFilters}), real(filters(s))};
}
Tensors average_grad(const OpSizes& s) { return {real({std::min(s.rows, std::int64_t{4}), 2, 2, image(s)[3]})}; }
Tensors global_grad(const OpSizes& s) { return {real({std::min(s.rows, std::int64_t{4}), image(s)[3]})}; }
Tensors max_grad(const OpSizes& s) { return {real(image(s)), real(halved(s, image(s)[3]))}; }
// 12 elements an image.
Tensors twelve(const OpSizes& s) { return {real({s.rows, 3, 4})}; }

Tensor moments(const OpSizes& s) {
  return {.name = std::string(kMoments), .shape = {2 * s.columns + 1}, .dtype = DType::float64};
}
Tensor positive(const OpSizes& s) {
  return {.name = std::string(kPositive), .shape = {s.columns}, .role = TensorRole::state};
}
Tensor vector(const OpSizes& s) { return real({s.columns}); }
// Moments are given, so the gradient by x, which counts its way through them, is not that of this op alone.
Tensors norm(const OpSizes& s) {
  Tensors inputs = {real({s.rows, s.columns}), moments(s), vector(s), vector(s), vector(s), positive(s)};
  inputs[0].role = TensorRole::activation;
  inputs[4].role = TensorRole::state;
  return inputs;
}
Tensors norm_inference(const OpSizes& s) {
  return {real({s.rows, s.columns}), vector(s), vector(s), vector(s), positive(s)};
}
Tensors norm_grad_statistics(const OpSizes& s) {
  return {real({s.rows, s.columns}), real({s.rows, s.columns}), moments(s), vector(s)};
}
Tensors norm_grad_input(const OpSizes& s) {
  return {real({s.rows, s.columns}), real({s.rows, s.columns}), moments(s), vector(s), real({2 * s.columns})};
}
const Attributes kExtent = {{"height", 4}, {"width", 4}};
const Attributes kNorm = {{"epsilon", 1e-3}, {"momentum", 0.1}};

Attributes joined(Attributes a, const Attributes& b) {
  a.insert(b.begin(), b.end());
  return a;
}

const std::vector<OpCase>& cases() {
  static const std::vector<OpCase> kCases = {
      {"add", two_matrices, {}},
      {"average_pool2d", one_image, kWindow},
      {"average_pool2d_grad", average_grad, joined(kWindow, kExtent)},
      {"batch_norm", norm, kNorm},
      {"batch_norm_grad_input", norm_grad_input, kNorm},
      {"batch_norm_grad_statistics", norm_grad_statistics, kNorm},
      {"batch_norm_inference", norm_inference, kNorm},
      {"batch_norm_statistics", one_matrix, {}},
      {"conv2d", convolution, {{"stride", 2}, {"padding", 1}}},
      {"conv2d_grad_input", convolution_grad_input, joined({{"stride", 2}, {"padding", 1}}, kExtent)},
      {"conv2d_grad_weight",
       convolution_grad_weight,
       {{"stride", 2}, {"padding", 1}, {"kernel_height", 3}, {"kernel_width", 3}}},
      {"global_average_pool", one_image, {}},
      {"global_average_pool_grad", global_grad, kExtent},
      {"max_pool2d", one_image, kWindow},
      {"max_pool2d_grad", max_grad, kWindow},
      {"reshape", twelve, {{"dim1", 2}, {"dim2", 6}}},
      {"all_finite", three_vectors, {}},
      {"bias", bias, {}},
      {"bias_grad", one_matrix, {}},
      {"cast", one_matrix, {{"to", static_cast<double>(DType::float32)}}},
      {"dense", dense, {}},
      {"dense_grad_input", dense_grad_input, {}},
      {"dense_grad_weight", dense_grad_weight, {}},
      {"relu", one_matrix, {}},
      {"relu_grad", two_matrices, {}},
      {"sgd_momentum", three_vectors, {{"momentum", 0.9}, {"learning_rate", 0.125}}},
      {"slice_rows", table, {{"rows", 1}}},
      {"slice_rows_grad", one_matrix, {{"table_rows", 1000}}},
      {"softmax_cross_entropy", softmax, {{"scale", 0.25}}},
      {"softmax_cross_entropy_grad", softmax_grad, {{"scale", 0.25}}},
      {"attention", attention, {}, attention_attributes},
      {"attention_grad", attention_grad, {}, attention_attributes},
      {"dropout", one_matrix, {{"rate", 0.25}, {"salt", 3}}},
      {"dropout_grad", one_matrix, {{"rate", 0.25}, {"salt", 3}}},
      {"embedding", embedding, {}},
      {"embedding_grad", embedding_grad, {{"rows", kRowsToChooseFrom}}},
      {"gather_rows", gather, {}},
      {"gather_rows_grad", gather_grad, {{"sequence", kRowsToChooseFrom}}},
      {"gelu", one_matrix, {{"approximate", 0}}},
      {"gelu_grad", two_matrices, {{"approximate", 0}}},
      {"layer_norm", layer_norm, {{"epsilon", 0.1}}},
      {"layer_norm_grad", layer_norm_grad, {{"epsilon", 0.1}}},
      {"tanh", one_matrix, {}},
      {"tanh_grad", two_matrices, {}},
      {"update_loss_scale", loss_scale, {{"growth_steps", 2}}},
  };
  return kCases;
}

/// What causal attention does not look at is 0.
void clear_future(std::vector<double>& values, std::size_t sequence) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (i % sequence > i / sequence % sequence) values[i] = 0;
}

/// Moments of 10 values a channel with means as drawn and deviations of at least 0.5.
void make_moments(std::vector<double>& values) {
  const std::size_t channels = values.size() / 2;
  constexpr double kCount = 10;
  for (std::size_t c = 0; c < channels; ++c) {
    const double mean = values[c], variance = 0.25 + std::abs(values[channels + c]);
    values[c] = kCount * mean;
    values[channels + c] = kCount * (variance + mean * mean);
  }
  values.back() = kCount;
}

void make_rows_add_up_to_one(std::vector<double>& values, std::size_t columns) {
  for (std::size_t first = 0; first < values.size(); first += columns) {
    double sum = 0;
    for (std::size_t j = 0; j < columns; ++j) sum += values[first + j] = std::abs(values[first + j]);
    for (std::size_t j = 0; j < columns; ++j) values[first + j] /= sum;
  }
}

}  // namespace

std::string text_of(const OpSizes& sizes) {
  return fmt::format("rows {} columns {} depth {}", sizes.rows, sizes.columns, sizes.depth);
}

std::vector<std::string_view> op_case_kinds() {
  std::vector<std::string_view> kinds;
  for (const OpCase& op_case : cases()) kinds.push_back(op_case.kind);
  return kinds;
}

Graph op_graph(std::string_view kind, const OpSizes& sizes, DType storage) {
  const auto found = std::ranges::find(cases(), kind, &OpCase::kind);
  DTBENCH_CHECK(found != cases().end());
  Graph graph;
  std::vector<TensorId> inputs;
  for (Tensor& tensor : found->inputs(sizes)) {
    if (tensor.dtype == DType::float32 && tensor.name != kStatistic) tensor.dtype = storage;
    inputs.push_back(graph.add_tensor(std::move(tensor)));
  }
  graph.loss = graph.add_op(std::string(kind), "case/" + std::string(kind), inputs,
                            found->sized ? found->sized(sizes) : found->attributes);
  return graph;
}

std::vector<std::vector<double>> random_inputs(const Graph& graph, std::uint32_t seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> magnitude(0.01, 1.0);
  std::vector<std::vector<double>> inputs;
  const std::int64_t columns = graph.tensors.front().shape.back();
  for (const TensorId id : graph.ops.front().inputs) {
    const Tensor& tensor = graph.tensors[static_cast<std::size_t>(id)];
    std::vector<double> values(static_cast<std::size_t>(tensor.elements()));
    for (double& value : values) {
      // float32 values, so that every type starts from the same numbers.
      value = static_cast<float>(generator() % 2 == 0 ? magnitude(generator) : -magnitude(generator));
      if (tensor.dtype == DType::int32)
        value = static_cast<double>(generator() %
                                    static_cast<std::uint32_t>(tensor.name == kNumbers ? kRowsToChooseFrom : columns));
    }
    if (tensor.name == kProbabilities) {
      const auto last = static_cast<std::size_t>(tensor.shape.back());
      const Attributes& attributes = graph.ops.front().attributes;
      if (attributes.contains("causal") && attributes.at("causal") != 0) clear_future(values, last);
      make_rows_add_up_to_one(values, last);
    }
    if (tensor.name == kMoments) make_moments(values);
    if (tensor.name == kPositive) std::ranges::for_each(values, [](double& value) { value = 0.5 + std::abs(value); });
    inputs.push_back(std::move(values));
  }
  return inputs;
}

std::vector<std::vector<double>> run_op(const Graph& graph, std::span<const std::vector<double>> inputs, Device& device,
                                        DType real_type) {
  GraphEvaluator evaluator(graph, device, real_type);
  const GraphOp& op = graph.ops.front();
  for (std::size_t i = 0; i < inputs.size(); ++i) evaluator.write(op.inputs[i], inputs[i]);
  const auto rate = op.attributes.find("learning_rate");
  if (rate != op.attributes.end()) evaluator.set_learning_rate(rate->second);
  evaluator.run();
  std::vector<std::vector<double>> outputs;
  for (const TensorId id : op.outputs) outputs.push_back(evaluator.read(id));
  return outputs;
}

}  // namespace dtbench::testing
