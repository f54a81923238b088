#include "engine/plan/op_rule.h"

#include <gtest/gtest.h>

#include "tests/unit/plan/expect_error.h"

namespace dtbench {
namespace {

TensorId add(Graph& graph, std::string name, Shape shape, DType dtype = DType::float32) {
  return graph.add_tensor({std::move(name), std::move(shape), dtype, TensorRole::activation, {}, {}, {}});
}

OpCost cost_of_last(const Graph& graph) {
  const GraphOp& op = graph.ops.back();
  std::vector<Tensor> inputs, outputs;
  for (const TensorId id : op.inputs) inputs.push_back(graph.tensors[static_cast<std::size_t>(id)]);
  for (const TensorId id : op.outputs) outputs.push_back(graph.tensors[static_cast<std::size_t>(id)]);
  return op_rule(op.kind).cost(inputs, outputs, op.attributes);
}

const Shape& shape_of(const Graph& graph, TensorId id) { return graph.tensors[static_cast<std::size_t>(id)].shape; }

TEST(OpRule, HasEachKindOnce) {
  for (const OpRule& rule : op_rules()) EXPECT_EQ(&op_rule(rule.kind), &rule) << rule.kind;
  EXPECT_EQ(bad_input_of([] { op_rule("dens"); }).hint, "did you mean 'dense'?");
}

// B = 3, I = 5, O = 7: 2 * 105 FLOP; 4 * (15 + 35 + 21) bytes whichever two of the matrices are read.
TEST(OpRule, CostsTheThreeDenseProductsAlike) {
  Graph graph;
  const TensorId x = add(graph, "x", {3, 5}), w = add(graph, "w", {5, 7}), dy = add(graph, "dy", {3, 7});
  EXPECT_EQ(shape_of(graph, graph.add_op("dense", "l/dense", {x, w})), (Shape{3, 7}));
  EXPECT_EQ(cost_of_last(graph).flops, 210);
  EXPECT_EQ(cost_of_last(graph).bytes, 284);
  EXPECT_EQ(shape_of(graph, graph.add_op("dense_grad_input", "l/dx", {dy, w})), (Shape{3, 5}));
  EXPECT_EQ(cost_of_last(graph).flops, 210);
  EXPECT_EQ(cost_of_last(graph).bytes, 284);
  EXPECT_EQ(shape_of(graph, graph.add_op("dense_grad_weight", "l/dw", {x, dy})), (Shape{5, 7}));
  EXPECT_EQ(cost_of_last(graph).flops, 210);
  EXPECT_EQ(cost_of_last(graph).bytes, 284);
}

TEST(OpRule, CostsElementWiseKindsByElements) {
  Graph graph;
  const TensorId x = add(graph, "x", {3, 7}), b = add(graph, "b", {7});
  graph.add_op("bias", "l/bias", {x, b});
  EXPECT_EQ(cost_of_last(graph).flops, 21);
  EXPECT_EQ(cost_of_last(graph).bytes, 4 * (21 + 7 + 21));
  graph.add_op("bias_grad", "l/db", {x});
  EXPECT_EQ(cost_of_last(graph).flops, 21);
  EXPECT_EQ(cost_of_last(graph).bytes, 4 * (21 + 7));
  graph.add_op("relu", "l/relu", {x});
  EXPECT_EQ(cost_of_last(graph).bytes, 4 * 42);
  graph.add_op("relu_grad", "l/drelu", {x, x});
  EXPECT_EQ(cost_of_last(graph).bytes, 4 * 63);
  graph.add_op("add", "l/add", {x, x});
  EXPECT_EQ(cost_of_last(graph).flops, 21);
}

TEST(OpRule, GivesLossAndProbabilities) {
  Graph graph;
  const TensorId logits = add(graph, "logits", {6, 10}), labels = add(graph, "labels", {6}, DType::int32);
  const TensorId loss = graph.add_op("softmax_cross_entropy", "loss/forward", {logits, labels}, {{"scale", 0.5}});
  EXPECT_EQ(shape_of(graph, loss), (Shape{1}));
  EXPECT_EQ(graph.tensors[static_cast<std::size_t>(loss)].role, TensorRole::loss);
  EXPECT_EQ(shape_of(graph, graph.ops.back().outputs[1]), (Shape{6, 10}));
  EXPECT_EQ(cost_of_last(graph).flops, 300);
  EXPECT_EQ(cost_of_last(graph).bytes, 4 * (60 + 6 + 1 + 60));
}

// Reads parameter, gradient and velocity, writes parameter and velocity.
TEST(OpRule, CostsAnUpdateFivePassesOverMemory) {
  const Tensor flat{"p", {100}, DType::float32, TensorRole::parameter, {}, {}, {}};
  const OpCost cost = op_rule("sgd_momentum").cost({flat, flat, flat}, {flat, flat}, {});
  EXPECT_EQ(cost.flops, 400);
  EXPECT_EQ(cost.bytes, 2000);
}

TEST(OpRule, NamesTheOperationAndShapesThatDoNotFit) {
  Graph graph;
  const TensorId x = add(graph, "x", {3, 5}), w = add(graph, "w", {6, 7});
  const ErrorParts parts = bad_input_of([&] { graph.add_op("dense", "layer1/dense/forward", {x, w}); });
  EXPECT_EQ(parts.where, "operation 'layer1/dense/forward'");
  EXPECT_EQ(parts.found, "float32 x[3,5], float32 w[6,7]");
  EXPECT_EQ(parts.expected, "dense: x[..., I], w[I,O] (w[O,I] with transpose_weight 1)");
}

TEST(OpRule, RefusesWrongCountsTypesAndAttributes) {
  Graph graph;
  const TensorId x = add(graph, "x", {3, 5}), vector = add(graph, "v", {3});
  const TensorId doubles = add(graph, "d", {5, 7}, DType::float64), labels = add(graph, "labels", {3}, DType::int32);
  bad_input_of([&] { graph.add_op("relu", "r", {}); });
  bad_input_of([&] { graph.add_op("relu", "r", {x, x}); });
  bad_input_of([&] { graph.add_op("dense", "d", {x, doubles}); });
  bad_input_of([&] { graph.add_op("bias", "b", {x, vector}); });
  bad_input_of([&] { graph.add_op("add", "a", {x, vector}); });
  bad_input_of([&] { graph.add_op("softmax_cross_entropy", "s", {x, vector}, {{"scale", 1}}); });
  EXPECT_EQ(bad_input_of([&] {
              graph.add_op("softmax_cross_entropy", "s", {x, labels});
            }).expected,
            "attribute 'scale'");
  EXPECT_TRUE(graph.ops.empty());
}

}  // namespace
}  // namespace dtbench
