#include "tests/support/op_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "tests/support/graph_evaluator.h"
#include "topologies/base/error.h"

namespace dtbench::testing {

namespace {

constexpr std::string_view kProbabilities = "p";

struct OpCase {
  std::string_view kind;
  std::vector<Tensor> (*inputs)(const OpSizes& sizes);
  Attributes attributes;
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

const std::vector<OpCase>& cases() {
  static const std::vector<OpCase> kCases = {
      {"add", two_matrices, {}},
      {"bias", bias, {}},
      {"bias_grad", one_matrix, {}},
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
  };
  return kCases;
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

Graph op_graph(std::string_view kind, const OpSizes& sizes) {
  const auto found = std::ranges::find(cases(), kind, &OpCase::kind);
  DTBENCH_CHECK(found != cases().end());
  Graph graph;
  std::vector<TensorId> inputs;
  for (Tensor& tensor : found->inputs(sizes)) inputs.push_back(graph.add_tensor(std::move(tensor)));
  graph.loss = graph.add_op(std::string(kind), "case/" + std::string(kind), inputs, found->attributes);
  if (kind == "sgd_momentum") graph.ops.back().outputs = {inputs[0], inputs[2]};
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
      if (tensor.dtype == DType::int32) value = static_cast<double>(generator() % static_cast<std::uint32_t>(columns));
    }
    if (tensor.name == kProbabilities) make_rows_add_up_to_one(values, static_cast<std::size_t>(columns));
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
