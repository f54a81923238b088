#include "engine/plan/models/resnet.h"

#include <fmt/core.h>

#include <array>
#include <vector>

#include "engine/plan/models/input_names.h"
#include "engine/plan/models/layers.h"
#include "topologies/base/error.h"
#include "topologies/base/suggest.h"

namespace dtbench {

namespace {

constexpr ModelOption kOptions[] = {
    {"depth", 50, 1, 1000, "layers with weights: 8, 18, 34, 50, 101 or 152"},
    {"image-size", 224, 1, 1 << 14, "height and width of an image"},
    {"channels", 3, 1, 1 << 16, "channels of an image"},
    {"width", 64, 1, 1 << 16, "channels of the first stage, doubled in each further stage"},
    {"classes", 1000, 1, 1 << 30, "labels to tell apart"},
};

/// Table 1 of the paper, and depth 8.
struct Layout {
  std::int64_t depth;
  std::vector<int> blocks;  ///< of each stage
  bool bottleneck;          ///< 1x1, 3x3, 1x1 to four times the width; otherwise 3x3, 3x3
  bool small_images;        ///< 3x3 stem without pooling
};

const std::vector<Layout>& layouts() {
  static const std::vector<Layout> kLayouts = {
      {8, {1, 1, 1}, false, true},     {18, {2, 2, 2, 2}, false, false},  {34, {3, 4, 6, 3}, false, false},
      {50, {3, 4, 6, 3}, true, false}, {101, {3, 4, 23, 3}, true, false}, {152, {3, 8, 36, 3}, true, false},
  };
  return kLayouts;
}

const Layout& layout_of(std::int64_t depth, std::string_view model) {
  std::vector<std::string> depths;
  for (const Layout& layout : layouts()) {
    if (layout.depth == depth) return layout;
    depths.push_back(std::to_string(layout.depth));
  }
  throw_bad_input({fmt::format("--depth of model '{}'", model), std::to_string(depth), one_of(depths), ""});
}

void complete(ModelOptions& options, std::string_view model) { layout_of(options.at("depth"), model); }

class ResNet {
 public:
  ResNet(Graph& graph, const Layout& layout) : graph_(graph), layout_(layout) {}

  TensorId stem(TensorId x, std::int64_t width) {
    if (layout_.small_images) return relu("stem", convolution_bn("stem", x, {width, 3, 1, 1}));
    x = relu("stem", convolution_bn("stem", x, {width, 7, 2, 3}));
    return add_max_pool(graph_, "stem/pool", x, 3, 2, 1);
  }

  TensorId stages(TensorId x, std::int64_t width) {
    for (std::size_t stage = 0; stage < layout_.blocks.size(); ++stage, width *= 2)
      for (int block = 0; block < layout_.blocks[stage]; ++block) {
        const std::int64_t stride = stage > 0 && block == 0 ? 2 : 1;
        x = residual(fmt::format("stage{}/block{}", stage + 1, block + 1), x, width, stride);
      }
    return x;
  }

 private:
  TensorId residual(const std::string& name, TensorId x, std::int64_t width, std::int64_t stride) {
    const std::int64_t channels = layout_.bottleneck ? 4 * width : width;
    const bool project = stride != 1 || graph_.tensors[static_cast<std::size_t>(x)].shape.back() != channels;
    TensorId y = layout_.bottleneck ? bottleneck(name, x, width, stride) : basic(name, x, width, stride);
    const TensorId shortcut = project ? convolution_bn(name + "/shortcut", x, {channels, 1, stride, 0}) : x;
    y = graph_.add_op("add", name + "/add/forward", {y, shortcut});
    return relu(name, y);
  }

  TensorId basic(const std::string& name, TensorId x, std::int64_t width, std::int64_t stride) {
    x = relu(name + "/first", convolution_bn(name + "/first", x, {width, 3, stride, 1}));
    return convolution_bn(name + "/second", x, {width, 3, 1, 1});
  }

  TensorId bottleneck(const std::string& name, TensorId x, std::int64_t width, std::int64_t stride) {
    x = relu(name + "/reduce", convolution_bn(name + "/reduce", x, {width, 1, 1, 0}));
    x = relu(name + "/middle", convolution_bn(name + "/middle", x, {width, 3, stride, 1}));
    return convolution_bn(name + "/expand", x, {4 * width, 1, 1, 0});
  }

  TensorId convolution_bn(const std::string& name, TensorId x, const ConvolutionShape& shape) {
    return add_batch_norm(graph_, name + "/norm", add_convolution(graph_, name, x, shape, he_normal_fan_out));
  }

  TensorId relu(const std::string& name, TensorId x) { return graph_.add_op("relu", name + "/relu/forward", {x}); }

  Graph& graph_;
  const Layout& layout_;
};

Graph build(const ModelOptions& options, std::int64_t batch) {
  Graph graph;
  const std::int64_t size = options.at("image-size"), width = options.at("width");
  const TensorId images = add_input(graph, kFeatures, {batch, size, size, options.at("channels")});
  const TensorId labels = add_labels(graph, kLabels, {batch});
  ResNet net(graph, layout_of(options.at("depth"), "resnet"));
  TensorId x = net.stages(net.stem(images, width), width);
  x = graph.add_op("global_average_pool", "pool/forward", {x});
  x = add_dense(graph, "output", x, options.at("classes"), uniform_fan_in);
  graph.loss = add_mean_loss(graph, "loss", x, labels);
  return graph;
}

}  // namespace

ModelFamily resnet_family() {
  return {"resnet", "residual network v1.5 of any depth in the paper, as torchvision trains it",
          kOptions, 32,
          "images", complete,
          build};
}

}  // namespace dtbench
