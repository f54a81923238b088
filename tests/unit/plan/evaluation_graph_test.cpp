#include "engine/plan/evaluation_graph.h"

#include <gtest/gtest.h>

namespace dtbench {
namespace {

TensorId add_evaluated(Graph& graph, std::string name, Shape shape, TensorRole role) {
  return graph.add_tensor({std::move(name), std::move(shape), DType::float32, role, {}, {}, {}});
}

TEST(EvaluationGraph, NormalisesByRunningValues) {
  Graph graph;
  const TensorId x = add_evaluated(graph, "x", {4, 3}, TensorRole::input);
  const TensorId statistics = graph.add_op("batch_norm_statistics", "n/statistics", {x});
  std::vector<TensorId> inputs = {x, statistics};
  for (const auto* name : {"gamma", "beta"}) inputs.push_back(add_evaluated(graph, name, {3}, TensorRole::parameter));
  for (const auto* name : {"mean", "variance"}) inputs.push_back(add_evaluated(graph, name, {3}, TensorRole::state));
  const TensorId y = graph.add_op("batch_norm", "n/forward", inputs, {{"epsilon", 1e-5}, {"momentum", 0.1}});
  graph.loss = graph.add_op("relu", "r/forward", {y});
  const Graph evaluation = to_evaluation(graph);
  ASSERT_EQ(evaluation.ops.size(), 2U);
  const GraphOp& norm = evaluation.ops[0];
  EXPECT_EQ(norm.kind, "batch_norm_inference");
  std::vector<std::string> names;
  for (const TensorId id : norm.inputs) names.push_back(evaluation.tensors[static_cast<std::size_t>(id)].name);
  EXPECT_EQ(names, (std::vector<std::string>{"x", "gamma", "beta", "mean", "variance"}));
  EXPECT_EQ(norm.attributes.at("epsilon"), 1e-5);
  EXPECT_EQ(evaluation.ops[1].inputs, norm.outputs);
  EXPECT_EQ(evaluation.tensors.size(), graph.tensors.size() - 1) << "nobody reads the statistics";
  EXPECT_EQ(evaluation.tensors[static_cast<std::size_t>(evaluation.loss)].name, "r/output");
}

TEST(EvaluationGraph, DropsNothing) {
  Graph graph;
  const TensorId x = add_evaluated(graph, "x", {4, 3}, TensorRole::input);
  const TensorId first = graph.add_op("dropout", "a/forward", {x}, {{"rate", 0.1}, {"salt", 0}});
  const TensorId second = graph.add_op("dropout", "b/forward", {first}, {{"rate", 0.5}, {"salt", 1}});
  graph.loss = graph.add_op("add", "sum/forward", {second, first});
  const Graph evaluation = to_evaluation(graph);
  ASSERT_EQ(evaluation.ops.size(), 1U);
  EXPECT_EQ(evaluation.ops[0].inputs, (std::vector<TensorId>{x, x}));
  EXPECT_EQ(evaluation.tensors.size(), 2U) << "what the layers would have written is gone";
}

TEST(EvaluationGraph, AttendsToEverything) {
  Graph graph;
  const TensorId qkv = add_evaluated(graph, "qkv", {2, 3, 12}, TensorRole::input);
  const Attributes kept = {{"heads", 2}, {"causal", 1}};
  Attributes attributes = kept;
  attributes.insert({{"rate", 0.1}, {"salt", 4}});
  graph.loss = graph.add_op("attention", "a/forward", {qkv}, attributes);
  EXPECT_EQ(to_evaluation(graph).ops.at(0).attributes, kept);
}

}  // namespace
}  // namespace dtbench
