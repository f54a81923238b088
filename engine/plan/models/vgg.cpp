#include "engine/plan/models/vgg.h"

#include <fmt/core.h>

#include <array>
#include <vector>

#include "engine/plan/models/input_names.h"
#include "engine/plan/models/layers.h"
#include "topologies/base/error.h"
#include "topologies/base/suggest.h"

namespace dtbench {

namespace {

constexpr std::int64_t kStages = 5;

constexpr ModelOption kOptions[] = {
    {"depth", 16, 1, 1000, "layers with weights: 11, 13, 16 or 19"},
    {"image-size", 224, 1 << kStages, 1 << 14, "height and width of an image"},
    {"channels", 3, 1, 1 << 16, "channels of an image"},
    {"width", 64, 1, 1 << 16, "channels of the first stage, doubled up to eight times that"},
    {"hidden", 4096, 1, 1 << 24, "units of the two dense layers before the last"},
    {"classes", 1000, 1, 1 << 30, "labels to tell apart"},
    {"dropout-percent", 50, 0, 99, "of the classifier's units; 0: no dropout"},
};

/// Table 1 of the paper: convolutions of each stage.
struct Layout {
  std::int64_t depth;
  std::array<int, kStages> convolutions;
};
constexpr Layout kLayouts[] = {
    {11, {1, 1, 2, 2, 2}}, {13, {2, 2, 2, 2, 2}}, {16, {2, 2, 3, 3, 3}}, {19, {2, 2, 4, 4, 4}}};

const Layout& layout_of(std::int64_t depth, std::string_view model) {
  std::vector<std::string> depths;
  for (const Layout& layout : kLayouts) {
    if (layout.depth == depth) return layout;
    depths.push_back(std::to_string(layout.depth));
  }
  throw_bad_input({fmt::format("--depth of model '{}'", model), std::to_string(depth), one_of(depths), ""});
}

void complete(ModelOptions& options, std::string_view model) { layout_of(options.at("depth"), model); }

TensorId add_features(Graph& graph, TensorId x, const Layout& layout, std::int64_t width) {
  for (std::int64_t stage = 0; stage < kStages; ++stage) {
    const std::int64_t channels = width << std::min<std::int64_t>(stage, 3);
    for (int i = 0; i < layout.convolutions[static_cast<std::size_t>(stage)]; ++i) {
      const std::string name = fmt::format("stage{}/conv{}", stage + 1, i + 1);
      x = add_convolution_with_bias(graph, name, x, {channels, 3, 1, 1}, he_normal_fan_out);
      x = graph.add_op("relu", name + "/relu/forward", {x});
    }
    x = add_max_pool(graph, fmt::format("stage{}/pool", stage + 1), x, 2, 2, 0);
  }
  return x;
}

TensorId add_classifier(Graph& graph, TensorId x, const ModelOptions& options) {
  for (const char* name : {"dense1", "dense2"}) {
    x = add_dense(graph, name, x, options.at("hidden"), normal_001);
    x = graph.add_op("relu", fmt::format("{}/relu/forward", name), {x});
    x = add_dropout(graph, fmt::format("{}/dropout", name), x, options.at("dropout-percent"));
  }
  return add_dense(graph, "output", x, options.at("classes"), normal_001);
}

Graph build(const ModelOptions& options, std::int64_t batch) {
  Graph graph;
  const std::int64_t size = options.at("image-size");
  TensorId x = add_input(graph, kFeatures, {batch, size, size, options.at("channels")});
  const TensorId labels = add_labels(graph, kLabels, {batch});
  x = add_features(graph, x, layout_of(options.at("depth"), "vgg"), options.at("width"));
  x = add_classifier(graph, add_flatten(graph, "flatten", x), options);
  graph.loss = add_mean_loss(graph, "loss", x, labels);
  return graph;
}

}  // namespace

ModelFamily vgg_family() {
  return {"vgg", "VGG without batch norm, 11 to 19 layers", kOptions, 32, "images", complete, build};
}

}  // namespace dtbench
