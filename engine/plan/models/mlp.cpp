#include "engine/plan/models/mlp.h"

#include <fmt/core.h>

#include "engine/plan/models/input_names.h"
#include "engine/plan/models/layers.h"

namespace dtbench {

namespace {

constexpr ModelOption kOptions[] = {
    {"hidden", 2048, 1, 1 << 24, "units of a hidden layer"},
    {"layers", 4, 1, 1024, "hidden layers"},
    {"inputs", 784, 1, 1 << 30, "features of an example"},
    {"classes", 10, 1, 1 << 30, "labels to tell apart"},
};

Graph build(const ModelOptions& options, std::int64_t batch) {
  Graph graph;
  TensorId x = add_input(graph, kFeatures, {batch, options.at("inputs")});
  const TensorId labels = add_labels(graph, kLabels, {batch});
  for (std::int64_t layer = 1; layer <= options.at("layers"); ++layer) {
    const std::string name = fmt::format("layer{}", layer);
    x = add_dense(graph, name, x, options.at("hidden"), he_normal_fan_in);
    x = graph.add_op("relu", name + "/relu/forward", {x});
  }
  x = add_dense(graph, "output", x, options.at("classes"), he_normal_fan_in);
  graph.loss = add_mean_loss(graph, "loss", x, labels);
  return graph;
}

}  // namespace

ModelFamily mlp_family() {
  return {"mlp",    "multi-layer perceptron: dense, bias and relu layers with softmax cross-entropy",
          kOptions, 256,
          "images", nullptr,
          build};
}

}  // namespace dtbench
