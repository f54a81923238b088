// Shapes, costs and gradient rules of the operations on sequences.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/plan/autodiff.h"
#include "engine/plan/op_rule.h"
#include "tests/unit/plan/expect_error.h"

namespace dtbench {
namespace {

struct Sequences {
  Graph graph;

  TensorId add(std::string name, Shape shape, TensorRole role = TensorRole::activation, DType dtype = DType::float32) {
    return graph.add_tensor({std::move(name), std::move(shape), dtype, role, {}, {}, {}});
  }
  TensorId parameter(std::string name, Shape shape) {
    return add(std::move(name), std::move(shape), TensorRole::parameter);
  }
  TensorId numbers(std::string name, Shape shape) {
    return add(std::move(name), std::move(shape), TensorRole::label, DType::int32);
  }
  const Tensor& tensor(TensorId id) const { return graph.tensors[static_cast<std::size_t>(id)]; }
  const Shape& shape(TensorId id) const { return tensor(id).shape; }
  TensorId output(std::size_t i) const { return graph.ops.back().outputs.at(i); }
  const GraphOp& op(std::string_view kind) const {
    return *std::find_if(graph.ops.begin(), graph.ops.end(), [&](const GraphOp& row) { return row.kind == kind; });
  }
  OpCost cost(std::string_view kind) const {
    std::vector<Tensor> inputs, outputs;
    for (const TensorId id : op(kind).inputs) inputs.push_back(tensor(id));
    for (const TensorId id : op(kind).outputs) outputs.push_back(tensor(id));
    return op_rule(kind).cost(inputs, outputs, op(kind).attributes);
  }
  /// The loss over the rows of `logits`, differentiated.
  void close(TensorId logits) {
    Shape rows = shape(logits);
    rows.pop_back();
    graph.loss =
        graph.add_op("softmax_cross_entropy", "loss/forward", {logits, numbers("labels", rows)}, {{"scale", 0.5}});
    add_backward(graph);
  }
  const Tensor& gradient_of(TensorId id) const { return tensor(graph.gradient_of.at(static_cast<std::size_t>(id))); }
};

// B = 2, S = 3, I = 5, O = 7: six rows.
TEST(SequenceOps, DenseTakesAllLeadingDimensionsAsRows) {
  Sequences s;
  const TensorId x = s.parameter("x", {2, 3, 5}), w = s.parameter("w", {5, 7});
  const TensorId y = s.graph.add_op("dense", "l/dense/forward", {x, w});
  EXPECT_EQ(s.shape(y), (Shape{2, 3, 7}));
  s.close(y);
  EXPECT_EQ(s.gradient_of(x).shape, (Shape{2, 3, 5}));
  EXPECT_EQ(s.gradient_of(w).shape, (Shape{5, 7}));
  for (const auto kind : {"dense", "dense_grad_input", "dense_grad_weight"}) {
    EXPECT_EQ(s.cost(kind).flops, 2 * 6 * 5 * 7) << kind;
    EXPECT_EQ(s.cost(kind).bytes, 4 * (30 + 35 + 42)) << kind;
  }
}

TEST(SequenceOps, DenseTakesATableAsTransposedWeight) {
  Sequences s;
  const TensorId x = s.parameter("x", {2, 3, 5}), table = s.parameter("table", {7, 5});
  const TensorId y = s.graph.add_op("dense", "l/dense/forward", {x, table}, {{"transpose_weight", 1}});
  EXPECT_EQ(s.shape(y), (Shape{2, 3, 7}));
  s.close(y);
  EXPECT_EQ(s.gradient_of(x).shape, (Shape{2, 3, 5}));
  EXPECT_EQ(s.gradient_of(table).shape, (Shape{7, 5}));
  EXPECT_EQ(bad_input_of([&] {
              s.graph.add_op("dense", "again", {x, table});
            }).found,
            "float32 x[2,3,5], float32 table[7,5]");
}

TEST(SequenceOps, BiasMayBeATableOfTrailingDimensions) {
  Sequences s;
  const TensorId x = s.add("x", {4, 3, 5}, TensorRole::input), positions = s.parameter("positions", {3, 5}),
                 vector = s.parameter("vector", {5});
  const TensorId y = s.graph.add_op("bias", "l/bias/forward", {x, positions});
  s.close(s.graph.add_op("bias", "m/bias/forward", {y, vector}));
  EXPECT_EQ(s.gradient_of(positions).shape, (Shape{3, 5}));
  EXPECT_EQ(s.gradient_of(vector).shape, (Shape{5}));
  const TensorId wrong = s.add("wrong", {4, 5});
  bad_input_of([&] { s.graph.add_op("bias", "wrong", {x, wrong}); });
  bad_input_of([&] { s.graph.add_op("bias", "whole", {x, x}); });
}

TEST(SequenceOps, LayerNormKeepsTheStatisticsOfEachRow) {
  Sequences s;
  const TensorId x = s.parameter("x", {2, 3, 8}), gamma = s.parameter("gamma", {8}), beta = s.parameter("beta", {8});
  const TensorId y = s.graph.add_op("layer_norm", "n/forward", {x, gamma, beta}, {{"epsilon", 1e-5}});
  EXPECT_EQ(s.shape(y), (Shape{2, 3, 8}));
  EXPECT_EQ(s.shape(s.output(1)), (Shape{2, 3}));
  s.close(y);
  EXPECT_EQ(s.gradient_of(x).shape, (Shape{2, 3, 8}));
  EXPECT_EQ(s.gradient_of(gamma).shape, (Shape{8}));
  EXPECT_EQ(s.gradient_of(beta).name, "beta/gradient");
  EXPECT_EQ(s.cost("layer_norm").bytes, 4 * (48 + 8 + 8 + 48 + 6 + 6));
  EXPECT_EQ(s.cost("layer_norm_grad").bytes, 4 * (48 + 48 + 8 + 6 + 6 + 48 + 8 + 8));
}

TEST(SequenceOps, LayerNormOf16BitRowsKeepsParametersAndStatisticsIn32) {
  Sequences s;
  const TensorId x = s.add("x", {2, 8}, TensorRole::activation, DType::bfloat16);
  const TensorId gamma = s.parameter("gamma", {8}), beta = s.parameter("beta", {8});
  const TensorId y = s.graph.add_op("layer_norm", "n/forward", {x, gamma, beta}, {{"epsilon", 1e-5}});
  EXPECT_EQ(s.tensor(y).dtype, DType::bfloat16);
  EXPECT_EQ(s.tensor(s.output(2)).dtype, DType::float32);
  const TensorId narrow = s.add("narrow", {8}, TensorRole::parameter, DType::bfloat16);
  bad_input_of([&] { s.graph.add_op("layer_norm", "n", {x, narrow, beta}, {{"epsilon", 1e-5}}); });
}

// B = 2, S = 3, H = 8: two products of 2 B S S H forward, twice that backward; causal counts the same.
TEST(SequenceOps, AttentionCountsItsProductsWhole) {
  for (const double causal : {0.0, 1.0}) {
    Sequences s;
    const TensorId qkv = s.parameter("qkv", {2, 3, 24});
    const TensorId y = s.graph.add_op("attention", "a/forward", {qkv}, {{"heads", 4}, {"causal", causal}});
    EXPECT_EQ(s.shape(y), (Shape{2, 3, 8}));
    EXPECT_EQ(s.shape(s.output(1)), (Shape{2, 4, 3, 3}));
    s.close(y);
    EXPECT_EQ(s.gradient_of(qkv).shape, (Shape{2, 3, 24}));
    EXPECT_EQ(s.cost("attention").flops, 2 * 2 * 2 * 3 * 3 * 8);
    EXPECT_EQ(s.cost("attention_grad").flops, 2 * s.cost("attention").flops);
    EXPECT_EQ(s.cost("attention").bytes, 4 * (144 + 48 + 72));
    EXPECT_EQ(s.cost("attention_grad").bytes, 4 * (48 + 144 + 72 + 144));
  }
}

TEST(SequenceOps, AttentionRefusesHeadsThatDoNotDivide) {
  Sequences s;
  const TensorId qkv = s.add("qkv", {2, 3, 24}), flat = s.add("flat", {2, 24}), odd = s.add("odd", {2, 3, 25});
  const auto attend = [&](TensorId x, double heads, double causal) {
    return bad_input_of([&] { s.graph.add_op("attention", "a", {x}, {{"heads", heads}, {"causal", causal}}); });
  };
  EXPECT_EQ(attend(qkv, 3, 0).expected, "attention: qkv[B,S,3H], heads that divide H, causal 0 or 1");
  attend(qkv, 0, 0);
  attend(qkv, 2.5, 0);
  attend(qkv, 4, 2);
  for (const Attributes& dropout : {Attributes{{"rate", 0.1}}, {{"salt", 1}}, {{"rate", 1}, {"salt", 1}}}) {
    Attributes attributes = {{"heads", 4}, {"causal", 0}};
    attributes.insert(dropout.begin(), dropout.end());
    bad_input_of([&] { s.graph.add_op("attention", "a", {qkv}, attributes); });
  }
  attend(flat, 1, 0);
  attend(odd, 1, 0);
}

// Reads the rows that it takes, not the table; the gradient clears the table and touches the rows.
TEST(SequenceOps, EmbeddingTakesRowsOfATable) {
  Sequences s;
  const TensorId table = s.parameter("table", {100, 8}), ids = s.numbers("ids", {2, 3});
  const TensorId y = s.graph.add_op("embedding", "e/forward", {table, ids});
  EXPECT_EQ(s.shape(y), (Shape{2, 3, 8}));
  s.close(y);
  EXPECT_EQ(s.gradient_of(table).shape, (Shape{100, 8}));
  EXPECT_EQ(s.cost("embedding").bytes, 4 * (6 + 2 * 48));
  EXPECT_EQ(s.cost("embedding").flops, 0);
  EXPECT_EQ(s.cost("embedding_grad").bytes, 4 * (6 + 3 * 48 + 800));
  EXPECT_EQ(s.cost("embedding_grad").flops, 48);
  const TensorId real = s.add("real", {2, 3});
  bad_input_of([&] { s.graph.add_op("embedding", "e", {table, real}); });
}

TEST(SequenceOps, GatherTakesPositionsOfEachSequence) {
  Sequences s;
  const TensorId x = s.parameter("x", {2, 9, 8}), positions = s.numbers("positions", {2, 4});
  const TensorId y = s.graph.add_op("gather_rows", "g/forward", {x, positions});
  EXPECT_EQ(s.shape(y), (Shape{2, 4, 8}));
  s.close(y);
  EXPECT_EQ(s.gradient_of(x).shape, (Shape{2, 9, 8}));
  const TensorId others = s.numbers("others", {3, 4});
  bad_input_of([&] { s.graph.add_op("gather_rows", "g", {x, others}); });
}

TEST(SequenceOps, ElementwiseKindsKeepTheirShape) {
  Sequences s;
  TensorId x = s.parameter("x", {2, 3, 8});
  const TensorId first = x;
  x = s.graph.add_op("gelu", "gelu/forward", {x}, {{"approximate", 1}});
  x = s.graph.add_op("tanh", "tanh/forward", {x});
  x = s.graph.add_op("dropout", "dropout/forward", {x}, {{"rate", 0.1}, {"salt", 7}});
  s.close(x);
  EXPECT_EQ(s.gradient_of(first).shape, (Shape{2, 3, 8}));
  for (const auto kind : {"gelu", "tanh", "dropout", "dropout_grad"}) EXPECT_EQ(s.cost(kind).bytes, 4 * 96) << kind;
  for (const auto kind : {"gelu_grad", "tanh_grad"}) EXPECT_EQ(s.cost(kind).bytes, 4 * 144) << kind;
  EXPECT_EQ(s.op("dropout_grad").attributes, s.op("dropout").attributes) << "the same mask";
}

TEST(SequenceOps, DropoutRefusesRatesThatAreNone) {
  Sequences s;
  const TensorId x = s.add("x", {2, 8});
  for (const double rate : {0.0, 1.0, -0.1})
    bad_input_of([&] { s.graph.add_op("dropout", "d", {x}, {{"rate", rate}, {"salt", 0}}); });
  bad_input_of([&] { s.graph.add_op("gelu", "g", {x}, {{"approximate", 2}}); });
}

// An embedding table that is the output layer too: dense and embedding gradients are added.
TEST(SequenceOps, TiedTableAddsBothGradients) {
  Sequences s;
  const TensorId table = s.parameter("table", {10, 8}), ids = s.numbers("ids", {2, 3});
  const TensorId x = s.graph.add_op("embedding", "e/forward", {table, ids});
  s.close(s.graph.add_op("dense", "out/forward", {x, table}, {{"transpose_weight", 1}}));
  EXPECT_EQ(s.gradient_of(table).shape, (Shape{10, 8}));
  EXPECT_EQ(s.graph.ops.back().kind, "add");
  EXPECT_EQ(s.graph.ops.back().outputs[0], s.graph.gradient_of[static_cast<std::size_t>(table)]);
}

// Both terms are differentiated with gradient 1, each with its own scale; the sum is a loss.
TEST(SequenceOps, LossMayBeASumOfLosses) {
  Sequences s;
  const TensorId x = s.add("x", {2, 3, 8}, TensorRole::input), w = s.parameter("w", {8, 10}),
                 v = s.parameter("v", {8, 2});
  const TensorId words = s.graph.add_op("dense", "words/forward", {x, w});
  const TensorId order = s.graph.add_op("dense", "order/forward", {x, v});
  const TensorId first =
      s.graph.add_op("softmax_cross_entropy", "words_loss/forward", {words, s.numbers("a", {2, 3})}, {{"scale", 0.5}});
  const TensorId second =
      s.graph.add_op("softmax_cross_entropy", "order_loss/forward", {order, s.numbers("b", {2, 3})}, {{"scale", 0.25}});
  s.graph.loss = s.graph.add_op("add", "loss/forward", {first, second});
  EXPECT_EQ(s.tensor(s.graph.loss).role, TensorRole::loss);
  add_backward(s.graph);
  std::vector<double> scales;
  for (const GraphOp& op : s.graph.ops)
    if (op.kind == "softmax_cross_entropy_grad") scales.push_back(op.attributes.at("scale"));
  EXPECT_EQ(scales, (std::vector<double>{0.25, 0.5})) << "backwards";
  EXPECT_EQ(s.gradient_of(w).shape, (Shape{8, 10}));
  EXPECT_EQ(s.gradient_of(v).shape, (Shape{8, 2}));
}

}  // namespace
}  // namespace dtbench
