// Gradient rules and gradient kernels together against central differences in float64.
#include <gtest/gtest.h>

#include <random>

#include "engine/plan/autodiff.h"
#include "engine/plan/models/model.h"
#include "engine/plan/op_rule.h"
#include "engine/reference/reference_device.h"
#include "tests/support/graph_evaluator.h"
#include "tests/support/op_case.h"

namespace dtbench {
namespace {

using testing::GraphEvaluator;

double loss_at(GraphEvaluator& evaluator, TensorId tensor, std::vector<double> values, std::size_t index,
               double change) {
  values[index] += change;
  evaluator.write(tensor, values);
  evaluator.run();
  return evaluator.read(evaluator.graph().loss)[0];
}

/// Every element of every parameter. The step of 1e-5 leaves a truncation error of about 1e-10 and a rounding error of
/// about 1e-11 for losses of order 1.
void expect_gradients_match(GraphEvaluator& evaluator, const std::string& what) {
  constexpr double kStep = 1e-5;
  const Graph graph = evaluator.graph();
  evaluator.run();
  std::vector<std::vector<double>> gradients;
  for (const TensorId id : graph.gradient_of) {
    gradients.push_back(id == kNoTensor ? std::vector<double>{} : evaluator.read(id));
  }
  for (std::size_t t = 0; t < graph.tensors.size(); ++t) {
    if (graph.tensors[t].role != TensorRole::parameter) continue;
    const auto id = static_cast<TensorId>(t);
    ASSERT_NE(graph.gradient_of.at(t), kNoTensor) << what << ": " << graph.tensors[t].name;
    const auto values = evaluator.read(id);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double difference =
          (loss_at(evaluator, id, values, i, kStep) - loss_at(evaluator, id, values, i, -kStep)) / (2 * kStep);
      EXPECT_NEAR(gradients[t][i], difference, 2e-9) << what << ": " << graph.tensors[t].name << "[" << i << "]";
    }
    evaluator.write(id, values);
  }
}

/// The op with one input computed from a parameter (times the identity, since a parameter may not share its gradient
/// with another tensor, as it would in `add`); its output feeds a loss unless it is one.
struct DifferentiableOp {
  Graph graph;
  std::vector<TensorId> inputs;
  TensorId identity = kNoTensor;
};

DifferentiableOp differentiable(std::string_view kind, const testing::OpSizes& sizes, std::size_t input) {
  const Graph op = testing::op_graph(kind, sizes);
  DifferentiableOp result;
  Graph& graph = result.graph;
  std::vector<TensorId> arguments;
  for (std::size_t i = 0; i < op.ops[0].inputs.size(); ++i) {
    Tensor tensor = op.tensors[i];
    if (i != input && tensor.role == TensorRole::parameter) tensor.role = TensorRole::activation;
    arguments.push_back(graph.add_tensor(tensor));
  }
  result.inputs = arguments;
  const Shape shape = op.tensors[input].shape;
  if (shape.size() >= 2) {
    result.identity = graph.add_tensor({.name = "identity", .shape = {shape.back(), shape.back()}});
    arguments[input] = graph.add_op("dense", "through/forward", {arguments[input], result.identity});
  }
  graph.loss = graph.add_op(std::string(kind), "case/forward", arguments, op.ops[0].attributes);
  if (kind != "softmax_cross_entropy") {
    Shape rows = graph.tensors[static_cast<std::size_t>(graph.loss)].shape;
    rows.pop_back();
    const TensorId labels =
        graph.add_tensor({.name = "labels", .shape = rows, .dtype = DType::int32, .role = TensorRole::label});
    graph.loss = graph.add_op("softmax_cross_entropy", "loss/forward", {graph.loss, labels}, {{"scale", 0.5}});
  }
  add_backward(graph);
  return result;
}

std::vector<double> identity_matrix(std::int64_t size) {
  std::vector<double> values(static_cast<std::size_t>(size * size));
  for (std::int64_t i = 0; i < size; ++i) values[static_cast<std::size_t>(i * size + i)] = 1;
  return values;
}

void check_kind(std::string_view kind, const testing::OpSizes& sizes, std::uint32_t seed) {
  const Graph op = testing::op_graph(kind, sizes);
  const auto values = testing::random_inputs(op, seed);
  for (std::size_t input = 0; input < values.size(); ++input) {
    if (op.tensors[input].role != TensorRole::parameter) continue;
    const DifferentiableOp subject = differentiable(kind, sizes, input);
    ReferenceDevice device;
    GraphEvaluator evaluator(subject.graph, device, DType::float64);
    for (std::size_t i = 0; i < values.size(); ++i) evaluator.write(subject.inputs[i], values[i]);
    if (subject.identity != kNoTensor) {
      evaluator.write(subject.identity, identity_matrix(op.tensors[input].shape.back()));
    }
    expect_gradients_match(evaluator, std::string(kind) + " by input " + std::to_string(input) + ", " +
                                          testing::text_of(sizes) + ", seed " + std::to_string(seed));
  }
}

TEST(FiniteDifferences, AgreeWithTheGradientsOfEveryDifferentiableKind) {
  std::uint32_t seed = 7;
  int kinds = 0;
  for (const OpRule& rule : op_rules()) {
    if (rule.differentiate == nullptr) continue;
    ++kinds;
    for (const testing::OpSizes& sizes : {testing::OpSizes{1, 2, 1}, {3, 4, 5}, {2, 9, 3}}) {
      check_kind(rule.kind, sizes, ++seed);
    }
  }
  EXPECT_GE(kinds, 5);
}

TEST(FiniteDifferences, AgreeWithTheTanhFormOfGelu) {
  Graph graph;
  const TensorId x = graph.add_tensor({.name = "x", .shape = {2, 3}, .role = TensorRole::parameter});
  const TensorId labels =
      graph.add_tensor({.name = "labels", .shape = {2}, .dtype = DType::int32, .role = TensorRole::label});
  const TensorId y = graph.add_op("gelu", "gelu/forward", {x}, {{"approximate", 1}});
  graph.loss = graph.add_op("softmax_cross_entropy", "loss/forward", {y, labels}, {{"scale", 0.5}});
  add_backward(graph);
  ReferenceDevice device;
  GraphEvaluator evaluator(graph, device, DType::float64);
  evaluator.write(x, std::vector{0.5, -0.25, 1.5, -2.0, 0.75, 3.125});
  evaluator.write(labels, std::vector{2.0, 0.0});
  expect_gradients_match(evaluator, "gelu, tanh form");
}

// The same mask in both passes.
TEST(FiniteDifferences, AgreeWithAttentionThatDropsProbabilities) {
  Graph graph;
  const TensorId qkv = graph.add_tensor({.name = "qkv", .shape = {2, 3, 12}, .role = TensorRole::parameter});
  const TensorId labels =
      graph.add_tensor({.name = "labels", .shape = {2, 3}, .dtype = DType::int32, .role = TensorRole::label});
  const TensorId y =
      graph.add_op("attention", "attention/forward", {qkv}, {{"heads", 2}, {"causal", 1}, {"rate", 0.4}, {"salt", 2}});
  graph.loss = graph.add_op("softmax_cross_entropy", "loss/forward", {y, labels}, {{"scale", 0.5}});
  add_backward(graph);
  ReferenceDevice device;
  GraphEvaluator evaluator(graph, device, DType::float64);
  std::mt19937 generator(17);
  std::normal_distribution<double> normal(0, 0.7);
  std::vector<double> values(72);
  for (double& value : values) value = normal(generator);
  evaluator.write(qkv, values);
  expect_gradients_match(evaluator, "attention with dropout");
}

// A table that is the output layer too, and a loss that is the sum of two.
TEST(FiniteDifferences, AgreeWithATiedTableUnderTwoLosses) {
  Graph graph;
  const auto numbers = [&](std::string name, Shape shape) {
    return graph.add_tensor({.name = std::move(name), .shape = std::move(shape), .dtype = DType::int32});
  };
  const TensorId table = graph.add_tensor({.name = "table", .shape = {5, 3}, .role = TensorRole::parameter});
  const TensorId positions = graph.add_tensor({.name = "positions", .shape = {4, 3}, .role = TensorRole::parameter});
  const TensorId ids = numbers("ids", {2, 4}), words = numbers("words", {2, 4}), order = numbers("order", {2, 1}),
                 first = numbers("first", {2, 1});
  const TensorId looked_up = graph.add_op("embedding", "table/forward", {table, ids});
  const TensorId x = graph.add_op("bias", "positions/forward", {looked_up, positions});
  const TensorId logits = graph.add_op("dense", "words/forward", {x, table}, {{"transpose_weight", 1}});
  const TensorId pooled = graph.add_op("gather_rows", "pool/forward", {x, first});
  const TensorId word_loss =
      graph.add_op("softmax_cross_entropy", "word_loss/forward", {logits, words}, {{"scale", 0.25}});
  const TensorId order_loss =
      graph.add_op("softmax_cross_entropy", "order_loss/forward", {pooled, order}, {{"scale", 0.5}});
  graph.loss = graph.add_op("add", "loss/forward", {word_loss, order_loss});
  add_backward(graph);
  ReferenceDevice device;
  GraphEvaluator evaluator(graph, device, DType::float64);
  evaluator.write(table, std::vector{0.5, -0.25, 1.5, -2.0, 0.75, 0.1, 0.3, -0.9, 0.2, 1.1, -1.2, 0.6, 0.4, 0.8, -0.7});
  evaluator.write(positions, std::vector{0.1, -0.2, 0.3, 0.4, -0.5, 0.6, 0.2, 0.1, -0.3, 0.7, 0.9, -0.8});
  evaluator.write(ids, std::vector{0.0, 3.0, 3.0, 1.0, 4.0, 0.0, 2.0, 3.0});
  evaluator.write(words, std::vector{1.0, 2.0, 0.0, 4.0, 3.0, 3.0, 0.0, 1.0});
  evaluator.write(order, std::vector{1.0, 2.0});
  evaluator.write(first, std::vector{0.0, 2.0});
  expect_gradients_match(evaluator, "tied table, two losses");
}

TEST(FiniteDifferences, SumTheGradientsOfATensorUsedTwice) {
  Graph graph;
  const TensorId x = graph.add_tensor({.name = "x", .shape = {2, 3}, .role = TensorRole::parameter});
  const TensorId labels =
      graph.add_tensor({.name = "labels", .shape = {2}, .dtype = DType::int32, .role = TensorRole::label});
  const TensorId positive = graph.add_op("relu", "relu/forward", {x});
  const TensorId sum = graph.add_op("add", "add/forward", {x, positive});
  graph.loss = graph.add_op("softmax_cross_entropy", "loss/forward", {sum, labels}, {{"scale", 0.5}});
  add_backward(graph);
  ReferenceDevice device;
  GraphEvaluator evaluator(graph, device, DType::float64);
  evaluator.write(x, std::vector{0.5, -0.25, 1.5, -2.0, 0.75, 0.125});
  evaluator.write(labels, std::vector{2.0, 0.0});
  expect_gradients_match(evaluator, "x + relu(x)");
}

/// Through the statistics, too: every element of a batch moves all others.
TEST(FiniteDifferences, AgreeWithANormalisedConvolutionalNet) {
  constexpr std::uint32_t kSeed = 23;
  Graph graph;
  const auto parameter = [&](std::string name, Shape shape) {
    return graph.add_tensor({.name = std::move(name), .shape = std::move(shape), .role = TensorRole::parameter});
  };
  const auto state = [&](std::string name) {
    return graph.add_tensor({.name = std::move(name), .shape = {4}, .role = TensorRole::state});
  };
  const TensorId x = parameter("x", {3, 5, 4, 2}), w = parameter("w", {3, 3, 1, 4});
  const TensorId gamma = parameter("gamma", {4}), beta = parameter("beta", {4});
  const TensorId labels =
      graph.add_tensor({.name = "labels", .shape = {3}, .dtype = DType::int32, .role = TensorRole::label});
  TensorId y = graph.add_op("conv2d", "conv/forward", {x, w}, {{"padding", 1}, {"groups", 2}});
  const TensorId statistics = graph.add_op("batch_norm_statistics", "norm/statistics", {y});
  y = graph.add_op("batch_norm", "norm/forward", {y, statistics, gamma, beta, state("mean"), state("variance")},
                   {{"epsilon", 1e-3}, {"momentum", 0.1}});
  y = graph.add_op("relu", "relu/forward", {y});
  y = graph.add_op("max_pool2d", "pool/forward", {y}, {{"window", 3}, {"stride", 2}, {"padding", 1}});
  y = graph.add_op("global_average_pool", "mean/forward", {y});
  graph.loss = graph.add_op("softmax_cross_entropy", "loss/forward", {y, labels}, {{"scale", 1.0 / 3}});
  add_backward(graph);
  ReferenceDevice device;
  GraphEvaluator evaluator(graph, device, DType::float64);
  std::mt19937 generator(kSeed);
  std::normal_distribution<double> normal(0, 1);
  for (const TensorId id : {x, w, gamma, beta}) {
    std::vector<double> values(static_cast<std::size_t>(graph.tensors[static_cast<std::size_t>(id)].elements()));
    for (double& value : values) value = normal(generator);
    evaluator.write(id, values);
  }
  evaluator.write(labels, std::vector{0.0, 3.0, 1.0});
  expect_gradients_match(evaluator, "convolution, seed " + std::to_string(kSeed));
}

TEST(FiniteDifferences, AgreeWithAWholeMlp) {
  constexpr std::uint32_t kSeed = 11;
  Graph graph = build_model("mlp", {{"hidden", 5}, {"layers", 3}, {"inputs", 6}, {"classes", 4}}, 3);
  add_backward(graph);
  ReferenceDevice device;
  GraphEvaluator evaluator(graph, device, DType::float64);
  std::mt19937 generator(kSeed);
  std::normal_distribution<double> normal(0, 0.7);
  for (std::size_t t = 0; t < graph.tensors.size(); ++t) {
    const Tensor& tensor = graph.tensors[t];
    std::vector<double> values(static_cast<std::size_t>(tensor.elements()));
    for (double& value : values) value = tensor.dtype == DType::int32 ? generator() % 4 : normal(generator);
    if (tensor.role != TensorRole::activation) evaluator.write(static_cast<TensorId>(t), values);
  }
  expect_gradients_match(evaluator, "mlp, seed " + std::to_string(kSeed));
}

}  // namespace
}  // namespace dtbench
