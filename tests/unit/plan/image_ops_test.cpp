// Shape, cost and gradient rules of convolution, pooling, batch normalisation and reshape.
#include <gtest/gtest.h>

#include "engine/plan/autodiff.h"
#include "engine/plan/op_rule.h"
#include "tests/unit/plan/expect_error.h"

namespace dtbench {
namespace {

TensorId add_tensor(Graph& graph, std::string name, Shape shape, TensorRole role = TensorRole::activation,
             DType dtype = DType::float32) {
  return graph.add_tensor({std::move(name), std::move(shape), dtype, role, {}, {}, {}});
}

const Tensor& tensor(const Graph& graph, TensorId id) { return graph.tensors[static_cast<std::size_t>(id)]; }
const Shape& shape_in(const Graph& graph, TensorId id) { return tensor(graph, id).shape; }

OpCost cost_of(const Graph& graph, const GraphOp& op) {
  std::vector<Tensor> inputs, outputs;
  for (const TensorId id : op.inputs) inputs.push_back(tensor(graph, id));
  for (const TensorId id : op.outputs) outputs.push_back(tensor(graph, id));
  return op_rule(op.kind).cost(inputs, outputs, op.attributes);
}

OpCost cost_of_last_op(const Graph& graph) { return cost_of(graph, graph.ops.back()); }

std::vector<std::string> backward_kinds(const Graph& graph) {
  std::vector<std::string> kinds;
  for (const GraphOp& op : graph.ops)
    if (op.pass == PassKind::backward) kinds.push_back(op.kind);
  return kinds;
}

// The first layer of ResNet: 112 x 112 x 64 outputs of 7 x 7 x 3 taps.
TEST(Conv2dRule, GivesTheImageThatAStridedPaddedWindowLeaves) {
  Graph graph;
  const TensorId x = add_tensor(graph, "x", {2, 224, 224, 3}), w = add_tensor(graph, "w", {7, 7, 3, 64});
  const TensorId y = graph.add_op("conv2d", "stem/forward", {x, w}, {{"stride", 2}, {"padding", 3}});
  EXPECT_EQ(shape_in(graph, y), (Shape{2, 112, 112, 64}));
  EXPECT_EQ(cost_of_last_op(graph).flops, 2.0 * 2 * 112 * 112 * 64 * 7 * 7 * 3);
  EXPECT_EQ(cost_of_last_op(graph).bytes, 4.0 * (2 * 224 * 224 * 3 + 7 * 7 * 3 * 64 + 2 * 112 * 112 * 64));
}

TEST(Conv2dRule, CountsOnlyTheChannelsOfAGroup) {
  Graph graph;
  const TensorId x = add_tensor(graph, "x", {1, 8, 8, 6}), depthwise = add_tensor(graph, "w", {3, 3, 1, 6});
  EXPECT_EQ(shape_in(graph, graph.add_op("conv2d", "d/forward", {x, depthwise}, {{"groups", 6}, {"padding", 1}})),
            (Shape{1, 8, 8, 6}));
  EXPECT_EQ(cost_of_last_op(graph).flops, 2.0 * 8 * 8 * 6 * 9);
}

TEST(Conv2dRule, CostsItsGradientsLikeItself) {
  Graph graph;
  const TensorId x = add_tensor(graph, "x", {2, 9, 7, 4}, TensorRole::parameter);
  const TensorId w = add_tensor(graph, "w", {3, 2, 2, 6}, TensorRole::parameter);
  const TensorId y = graph.add_op("conv2d", "c/forward", {x, w}, {{"stride", 2}, {"padding", 1}, {"groups", 2}});
  EXPECT_EQ(shape_in(graph, y), (Shape{2, 5, 4, 6}));
  const double flops = cost_of_last_op(graph).flops;
  EXPECT_EQ(flops, 2.0 * (2 * 5 * 4 * 6) * (3 * 2 * 2));
  const TensorId flat = graph.add_op("reshape", "flat/forward", {y}, {{"dim1", 120}});
  const TensorId labels = add_tensor(graph, "labels", {2}, TensorRole::label, DType::int32);
  graph.loss = graph.add_op("softmax_cross_entropy", "loss/forward", {flat, labels}, {{"scale", 0.5}});
  add_backward(graph);
  EXPECT_EQ(backward_kinds(graph), (std::vector<std::string>{"softmax_cross_entropy_grad", "reshape",
                                                             "conv2d_grad_weight", "conv2d_grad_input"}));
  EXPECT_EQ(shape_in(graph, graph.gradient_of[static_cast<std::size_t>(w)]), shape_in(graph, w));
  EXPECT_EQ(shape_in(graph, graph.gradient_of[static_cast<std::size_t>(x)]), shape_in(graph, x));
  for (const GraphOp& op : graph.ops)
    if (op.kind.starts_with("conv2d")) {
      EXPECT_EQ(cost_of(graph, op).flops, flops) << op.kind;
    }
}

TEST(Conv2dRule, RefusesWhatDoesNotFit) {
  Graph graph;
  const TensorId x = add_tensor(graph, "x", {2, 4, 4, 6}), w = add_tensor(graph, "w", {3, 3, 6, 8});
  const TensorId large = add_tensor(graph, "large", {7, 7, 6, 8}), half = add_tensor(graph, "half", {3, 3, 3, 8});
  bad_input_of([&] { graph.add_op("conv2d", "c", {x, large}, {{"padding", 1}}); });
  bad_input_of([&] { graph.add_op("conv2d", "c", {x, half}); });
  bad_input_of([&] { graph.add_op("conv2d", "c", {x, w}, {{"groups", 4}}); });
  bad_input_of([&] { graph.add_op("conv2d", "c", {x, w}, {{"groups", 0}}); });
  bad_input_of([&] { graph.add_op("conv2d", "c", {x, w}, {{"stride", 0}}); });
  bad_input_of([&] { graph.add_op("conv2d", "c", {x, w}, {{"stride", 1.5}}); });
  bad_input_of([&] { graph.add_op("conv2d", "c", {x, w}, {{"padding", -1}}); });
  const ErrorParts parts = bad_input_of([&] { graph.add_op("conv2d_grad_input", "c/dx", {x, w}); });
  EXPECT_EQ(parts.where, "operation 'c/dx'");
  graph.add_op("conv2d", "c", {x, half}, {{"groups", 2}});
}

TEST(PoolRules, GiveWindowsAndTheirGradients) {
  for (const std::string kind : {"max_pool2d", "average_pool2d"}) {
    Graph graph;
    const TensorId x = add_tensor(graph, "x", {2, 5, 6, 3}, TensorRole::parameter);
    const TensorId y = graph.add_op(kind, "p/forward", {x}, {{"window", 3}, {"stride", 2}, {"padding", 1}});
    EXPECT_EQ(shape_in(graph, y), (Shape{2, 3, 3, 3})) << kind;
    EXPECT_EQ(cost_of_last_op(graph).flops, 54.0 * 9);
    EXPECT_EQ(cost_of_last_op(graph).bytes, 4.0 * (180 + 54));
    const TensorId pooled = graph.add_op("global_average_pool", "g/forward", {y});
    const TensorId labels = add_tensor(graph, "labels", {2}, TensorRole::label, DType::int32);
    graph.loss = graph.add_op("softmax_cross_entropy", "loss/forward", {pooled, labels}, {{"scale", 0.5}});
    add_backward(graph);
    EXPECT_EQ(backward_kinds(graph),
              (std::vector<std::string>{"softmax_cross_entropy_grad", "global_average_pool_grad", kind + "_grad"}));
    EXPECT_EQ(shape_in(graph, graph.gradient_of[static_cast<std::size_t>(x)]), shape_in(graph, x));
  }
}

TEST(PoolRules, RefuseWindowsThatLieOutside) {
  Graph graph;
  const TensorId x = add_tensor(graph, "x", {2, 4, 4, 3}), row = add_tensor(graph, "row", {2, 4});
  for (const std::string kind : {"max_pool2d", "average_pool2d"}) {
    bad_input_of([&] { graph.add_op(kind, "p", {x}, {{"window", 5}}); });
    bad_input_of([&] { graph.add_op(kind, "p", {x}, {{"window", 2}, {"padding", 2}}); });
    bad_input_of([&] { graph.add_op(kind, "p", {row}, {{"window", 2}}); });
    EXPECT_EQ(bad_input_of([&] { graph.add_op(kind, "p", {x}); }).expected, "attribute 'window'");
  }
  bad_input_of([&] { graph.add_op("global_average_pool", "p", {row}); });
}

struct NormalisedNet {
  Graph graph;
  TensorId x, gamma, beta, mean, variance, y;
  NormalisedNet()
      : x(add_tensor(graph, "x", {4, 3}, TensorRole::parameter)),
        gamma(add_tensor(graph, "gamma", {3}, TensorRole::parameter)),
        beta(add_tensor(graph, "beta", {3}, TensorRole::parameter)),
        mean(add_tensor(graph, "running_mean", {3}, TensorRole::state)),
        variance(add_tensor(graph, "running_variance", {3}, TensorRole::state)) {
    const TensorId statistics = graph.add_op("batch_norm_statistics", "n/statistics", {x});
    y = graph.add_op("batch_norm", "n/forward", {x, statistics, gamma, beta, mean, variance},
                     {{"epsilon", 1e-5}, {"momentum", 0.1}});
  }
};

TEST(BatchNormRule, SumsInDoubleAndUpdatesRunningValuesWhereTheyStand) {
  const NormalisedNet net;
  const GraphOp& op = net.graph.ops.back();
  EXPECT_EQ(shape_in(net.graph, op.inputs[1]), (Shape{7}));
  EXPECT_EQ(tensor(net.graph, op.inputs[1]).dtype, DType::float64);
  EXPECT_EQ(op.outputs, (std::vector{net.y, net.mean, net.variance}));
  EXPECT_EQ(cost_of(net.graph, op).flops, 36);
  EXPECT_EQ(cost_of(net.graph, op).bytes, 8.0 * 7 + 4.0 * (12 + 4 * 3 + 12 + 2 * 3));
}

TEST(BatchNormRule, DifferentiatesByParametersAndInput) {
  NormalisedNet net;
  const TensorId labels = add_tensor(net.graph, "labels", {4}, TensorRole::label, DType::int32);
  net.graph.loss = net.graph.add_op("softmax_cross_entropy", "loss/forward", {net.y, labels}, {{"scale", 0.25}});
  add_backward(net.graph);
  EXPECT_EQ(
      backward_kinds(net.graph),
      (std::vector<std::string>{"softmax_cross_entropy_grad", "batch_norm_grad_statistics", "batch_norm_grad_input"}));
  const auto gradient = [&](TensorId id) { return net.graph.gradient_of[static_cast<std::size_t>(id)]; };
  for (const TensorId id : {net.x, net.gamma, net.beta})
    EXPECT_EQ(shape_in(net.graph, gradient(id)), shape_in(net.graph, id));
  const GraphOp& sums = net.graph.ops[net.graph.ops.size() - 2];
  EXPECT_EQ(shape_in(net.graph, sums.outputs[0]), (Shape{6}));
  EXPECT_EQ(sums.outputs[1], gradient(net.gamma));
  EXPECT_EQ(sums.outputs[2], gradient(net.beta));
  EXPECT_EQ(gradient(net.mean), kNoTensor);
}

TEST(BatchNormRule, RefusesOtherTypesAndShapes) {
  NormalisedNet net;
  Graph& graph = net.graph;
  const GraphOp op = graph.ops.back();
  const TensorId narrow = add_tensor(graph, "narrow", {2}), flat = add_tensor(graph, "flat", {3});
  const auto with = [&](std::size_t input, TensorId id) {
    std::vector<TensorId> inputs = op.inputs;
    inputs[input] = id;
    return bad_input_of([&] { graph.add_op("batch_norm", "n", inputs, op.attributes); });
  };
  for (std::size_t i = 1; i < 6; ++i) EXPECT_EQ(with(i, narrow).where, "operation 'n'") << i;
  with(0, flat);
  with(1, flat);
  EXPECT_EQ(bad_input_of([&] { graph.add_op("batch_norm", "n", op.inputs); }).expected, "attribute 'epsilon'");
}

TEST(ReshapeRule, KeepsBatchAndElements) {
  Graph graph;
  const TensorId x = add_tensor(graph, "x", {2, 3, 4, 5});
  EXPECT_EQ(shape_in(graph, graph.add_op("reshape", "r/forward", {x}, {{"dim1", 60}})), (Shape{2, 60}));
  EXPECT_EQ(shape_in(graph, graph.add_op("reshape", "s/forward", {x}, {{"dim1", 12}, {"dim2", 5}})), (Shape{2, 12, 5}));
  EXPECT_EQ(cost_of_last_op(graph).flops, 0);
  EXPECT_EQ(cost_of_last_op(graph).bytes, 2 * 4.0 * 120);
  bad_input_of([&] { graph.add_op("reshape", "t", {x}, {{"dim1", 61}}); });
  bad_input_of([&] { graph.add_op("reshape", "t", {x}); });
}

}  // namespace
}  // namespace dtbench
