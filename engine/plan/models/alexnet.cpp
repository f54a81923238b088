#include "engine/plan/models/alexnet.h"

#include <fmt/core.h>

#include "engine/plan/models/input_names.h"
#include "engine/plan/models/layers.h"

namespace dtbench {

namespace {

constexpr ModelOption kOptions[] = {
    {"image-size", 224, 63, 1 << 14, "height and width of an image"},
    {"channels", 3, 1, 1 << 16, "channels of an image"},
    {"width", 64, 1, 1 << 16, "channels of the first convolution; the others have 3, 6, 4 and 4 times as many"},
    {"hidden", 4096, 1, 1 << 24, "units of the two dense layers before the last"},
    {"classes", 1000, 1, 1 << 30, "labels to tell apart"},
    {"dropout-percent", 50, 0, 99, "of the classifier's units; 0: no dropout"},
};

TensorId add_features(Graph& graph, TensorId x, std::int64_t width) {
  const ConvolutionShape shapes[] = {
      {width, 11, 4, 2}, {3 * width, 5, 1, 2}, {6 * width, 3, 1, 1}, {4 * width, 3, 1, 1}, {4 * width, 3, 1, 1}};
  int number = 0;
  for (const ConvolutionShape& shape : shapes) {
    const std::string name = fmt::format("conv{}", ++number);
    x = add_convolution_with_bias(graph, name, x, shape, uniform_fan_in, uniform_fan_in);
    x = graph.add_op("relu", name + "/relu/forward", {x});
    if (number != 3 && number != 4) x = add_max_pool(graph, name + "/pool", x, 3, 2, 0);
  }
  return x;
}

TensorId add_classifier(Graph& graph, TensorId x, const ModelOptions& options) {
  for (const char* name : {"dense1", "dense2"}) {
    x = add_dropout(graph, fmt::format("{}/dropout", name), x, options.at("dropout-percent"));
    x = add_dense(graph, name, x, options.at("hidden"), uniform_fan_in, uniform_fan_in);
    x = graph.add_op("relu", fmt::format("{}/relu/forward", name), {x});
  }
  return add_dense(graph, "output", x, options.at("classes"), uniform_fan_in, uniform_fan_in);
}

Graph build(const ModelOptions& options, std::int64_t batch) {
  Graph graph;
  const std::int64_t size = options.at("image-size");
  TensorId x = add_input(graph, kFeatures, {batch, size, size, options.at("channels")});
  const TensorId labels = add_labels(graph, kLabels, {batch});
  x = add_features(graph, x, options.at("width"));
  x = add_classifier(graph, add_flatten(graph, "flatten", x), options);
  graph.loss = add_mean_loss(graph, "loss", x, labels);
  return graph;
}

}  // namespace

ModelFamily alexnet_family() {
  return {
      "alexnet", "AlexNet, the single-tower 'one weird trick' form of torchvision", kOptions, 128, "images", nullptr,
      build};
}

}  // namespace dtbench
