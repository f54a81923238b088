#include "engine/plan/autodiff.h"

#include <gtest/gtest.h>

#include "engine/plan/models/model.h"
#include "tests/unit/plan/expect_error.h"

namespace dtbench {
namespace {

TensorId add(Graph& graph, std::string name, Shape shape, TensorRole role, DType dtype = DType::float32) {
  return graph.add_tensor({std::move(name), std::move(shape), dtype, role, {}, {}, {}});
}

struct Net {
  Graph graph;
  TensorId x, labels;
  Net()
      : x(add(graph, "x", {2, 4}, TensorRole::input)),
        labels(add(graph, "labels", {2}, TensorRole::label, DType::int32)) {}
  TensorId parameter(std::string name, Shape shape) {
    return add(graph, std::move(name), std::move(shape), TensorRole::parameter);
  }
  void close(TensorId logits) {
    graph.loss = graph.add_op("softmax_cross_entropy", "loss/forward", {logits, labels}, {{"scale", 0.5}});
  }
  std::vector<std::string> backward_kinds() const {
    std::vector<std::string> kinds;
    for (const GraphOp& op : graph.ops)
      if (op.pass == PassKind::backward) kinds.push_back(op.kind);
    return kinds;
  }
  const Tensor& gradient_of(TensorId tensor) const {
    return graph.tensors.at(static_cast<std::size_t>(graph.gradient_of.at(static_cast<std::size_t>(tensor))));
  }
};

TEST(AddBackward, GoesBackThroughALayerWithoutTheGradientOfItsInput) {
  Net net;
  const TensorId weight = net.parameter("w", {4, 3}), bias = net.parameter("b", {3});
  const TensorId y = net.graph.add_op("dense", "l/dense/forward", {net.x, weight});
  net.close(net.graph.add_op("bias", "l/bias/forward", {y, bias}));
  add_backward(net.graph);
  EXPECT_EQ(net.backward_kinds(),
            (std::vector<std::string>{"softmax_cross_entropy_grad", "bias_grad", "dense_grad_weight"}));
  EXPECT_EQ(net.gradient_of(weight).name, "w/gradient");
  EXPECT_EQ(net.gradient_of(weight).shape, (Shape{4, 3}));
  EXPECT_EQ(net.gradient_of(weight).role, TensorRole::gradient);
  EXPECT_EQ(net.graph.gradient_of[static_cast<std::size_t>(net.x)], kNoTensor);
  EXPECT_EQ(net.graph.ops[2].attributes, net.graph.ops[3].attributes) << "the scale of the loss";
}

TEST(AddBackward, AddsTheGradientsOfAWeightUsedTwice) {
  Net net;
  const TensorId weight = net.parameter("w", {4, 4});
  const TensorId once = net.graph.add_op("dense", "a/dense/forward", {net.x, weight});
  net.close(net.graph.add_op("dense", "b/dense/forward", {once, weight}));
  add_backward(net.graph);
  EXPECT_EQ(net.backward_kinds(), (std::vector<std::string>{"softmax_cross_entropy_grad", "dense_grad_weight",
                                                            "dense_grad_input", "dense_grad_weight", "add"}));
  EXPECT_EQ(net.graph.ops.back().outputs[0], net.graph.gradient_of[static_cast<std::size_t>(weight)]);
  int gradients = 0;
  for (const Tensor& tensor : net.graph.tensors) gradients += tensor.role == TensorRole::gradient ? 1 : 0;
  EXPECT_EQ(gradients, 1) << "the parts are temporary";
}

// h is used by a dense layer and by the sum: dh = d(sum) + d(dense).
TEST(AddBackward, AddsTheGradientsOfABranch) {
  Net net;
  const TensorId first = net.parameter("w1", {4, 3}), second = net.parameter("w2", {3, 3});
  const TensorId h = net.graph.add_op("dense", "a/dense/forward", {net.x, first});
  const TensorId branch = net.graph.add_op("dense", "b/dense/forward", {h, second});
  net.close(net.graph.add_op("add", "skip/forward", {h, branch}));
  add_backward(net.graph);
  EXPECT_EQ(net.backward_kinds(), (std::vector<std::string>{"softmax_cross_entropy_grad", "dense_grad_weight",
                                                            "dense_grad_input", "add", "dense_grad_weight"}));
  const GraphOp& last = net.graph.ops.back();
  EXPECT_EQ(last.inputs[1], net.graph.gradient_of[static_cast<std::size_t>(h)]);
}

TEST(AddBackward, NamesAParameterWithoutInfluence) {
  Net net;
  const TensorId weight = net.parameter("w", {4, 3});
  net.parameter("idle", {7});
  net.close(net.graph.add_op("dense", "l/dense/forward", {net.x, weight}));
  EXPECT_EQ(bad_input_of([&] { add_backward(net.graph); }).found, "parameter 'idle'");
}

TEST(AddBackward, RefusesParametersThatShareOneGradient) {
  Net net;
  const TensorId a = net.parameter("a", {2, 3}), b = net.parameter("b", {2, 3});
  net.close(net.graph.add_op("add", "sum/forward", {a, b}));
  EXPECT_EQ(bad_input_of([&] { add_backward(net.graph); }).expected, "a gradient of its own for each parameter");
}

TEST(AddBackward, GivesEveryModelsParametersAGradientOfTheirShape) {
  for (const ModelFamily& family : model_families()) {
    Graph graph = build_model(family.name, {}, 3);
    add_backward(graph);
    for (std::size_t t = 0; t < graph.tensors.size(); ++t) {
      if (graph.tensors[t].role != TensorRole::parameter) continue;
      const Tensor& gradient = graph.tensors[static_cast<std::size_t>(graph.gradient_of[t])];
      EXPECT_EQ(gradient.shape, graph.tensors[t].shape) << family.name << " " << gradient.name;
      EXPECT_EQ(gradient.dtype, graph.tensors[t].dtype);
    }
  }
}

}  // namespace
}  // namespace dtbench
