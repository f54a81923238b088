// Convolution and pooling of the CPU against the oracle at the sizes that go wrong: windows as large as the image, odd
// images under stride 2, paddings, groups, depthwise, few and many channels.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "engine/cpu/cpu_device.h"
#include "engine/cpu/host_probe.h"
#include "engine/reference/reference_device.h"
#include "tests/support/op_case.h"

namespace dtbench {
namespace {

struct Geometry {
  std::int64_t batch, height, width, channels, window, filters;
  double stride, padding, groups;
};

constexpr Geometry kConvolutions[] = {
    {1, 1, 1, 1, 1, 1, 1, 0, 1},     {2, 5, 7, 3, 1, 8, 1, 0, 1},   {2, 7, 5, 3, 3, 16, 2, 1, 1},
    {1, 9, 9, 3, 7, 16, 2, 3, 1},    {2, 8, 8, 16, 3, 32, 1, 1, 1}, {2, 7, 7, 16, 1, 32, 2, 0, 1},
    {1, 6, 6, 32, 3, 16, 2, 0, 1},   {2, 6, 5, 8, 3, 8, 1, 1, 2},   {2, 6, 5, 16, 3, 16, 2, 1, 16},
    {1, 3, 3, 5, 3, 7, 1, 0, 1},     {3, 4, 4, 48, 3, 20, 1, 1, 4}, {2, 11, 11, 3, 11, 12, 4, 2, 1},
    {2, 14, 14, 64, 3, 64, 1, 1, 1},
};

constexpr Geometry kPoolings[] = {
    {1, 1, 1, 1, 1, 1, 1, 0, 1},   {2, 7, 5, 3, 3, 3, 2, 1, 1},     {2, 8, 8, 16, 2, 16, 2, 0, 1},
    {1, 9, 6, 70, 3, 70, 1, 1, 1}, {3, 6, 6, 128, 3, 128, 3, 0, 1}, {1, 5, 5, 64, 5, 64, 1, 2, 1},
};

CoreTeam team_of(int members) {
  const std::vector<int> cores = make_host_probe()->facts().core_cpus;
  std::vector<int> cpus;
  for (int m = 0; m < members; ++m) cpus.push_back(cores[static_cast<std::size_t>(m) % cores.size()]);
  return CoreTeam(cpus);
}

Tensor real(Shape shape) { return {.name = "x", .shape = std::move(shape), .role = TensorRole::parameter}; }

Graph graph_of(const std::string& kind, std::vector<Tensor> inputs, Attributes attributes) {
  Graph graph;
  std::vector<TensorId> ids;
  for (Tensor& tensor : inputs) ids.push_back(graph.add_tensor(std::move(tensor)));
  graph.loss = graph.add_op(kind, "case/" + kind, ids, std::move(attributes));
  return graph;
}

Shape output_shape(const Graph& graph) { return graph.tensors[static_cast<std::size_t>(graph.loss)].shape; }

/// The op and its gradients at one geometry.
std::vector<Graph> convolutions(const Geometry& g) {
  const Shape x = {g.batch, g.height, g.width, g.channels};
  const Shape w = {g.window, g.window, g.channels / static_cast<std::int64_t>(g.groups), g.filters};
  Attributes attributes = {{"stride", g.stride}, {"padding", g.padding}, {"groups", g.groups}};
  std::vector<Graph> graphs = {graph_of("conv2d", {real(x), real(w)}, attributes)};
  const Shape y = output_shape(graphs[0]);
  attributes["height"] = static_cast<double>(g.height);
  attributes["width"] = static_cast<double>(g.width);
  attributes["kernel_height"] = attributes["kernel_width"] = static_cast<double>(g.window);
  graphs.push_back(graph_of("conv2d_grad_input", {real(y), real(w)}, attributes));
  graphs.push_back(graph_of("conv2d_grad_weight", {real(x), real(y)}, attributes));
  return graphs;
}

std::vector<Graph> poolings(const Geometry& g) {
  const Shape x = {g.batch, g.height, g.width, g.channels};
  Attributes attributes = {{"window", static_cast<double>(g.window)}, {"stride", g.stride}, {"padding", g.padding}};
  std::vector<Graph> graphs = {graph_of("max_pool2d", {real(x)}, attributes),
                               graph_of("average_pool2d", {real(x)}, attributes)};
  const Shape y = output_shape(graphs[0]);
  attributes["height"] = static_cast<double>(g.height);
  attributes["width"] = static_cast<double>(g.width);
  graphs.push_back(graph_of("max_pool2d_grad", {real(x), real(y)}, attributes));
  graphs.push_back(graph_of("average_pool2d_grad", {real(y)}, attributes));
  graphs.push_back(graph_of("global_average_pool", {real(x)}, {}));
  graphs.push_back(graph_of("global_average_pool_grad", {real({g.batch, g.channels})}, attributes));
  return graphs;
}

std::string text_of(const Graph& graph) {
  const GraphOp& op = graph.ops.front();
  std::string text = op.kind;
  for (const TensorId id : op.inputs) text += " " + dtbench::text_of(graph.tensors[static_cast<std::size_t>(id)].shape);
  for (const auto& [name, value] : op.attributes) text += " " + name + "=" + std::to_string(static_cast<int>(value));
  return text;
}

/// Values are within [-1, 1], so products add up to at most the number of terms.
double terms(const Graph& graph) {
  double most = 8;
  for (const Tensor& tensor : graph.tensors) most = std::max(most, static_cast<double>(tensor.elements()));
  return std::sqrt(most) * 8;
}

class ImageKernels : public ::testing::TestWithParam<int> {};

TEST_P(ImageKernels, ConvolutionsAgreeWithTheReference) {
  CpuDevice device(team_of(GetParam()));
  ReferenceDevice reference;
  std::uint32_t seed = 300;
  for (const Geometry& geometry : kConvolutions)
    for (const Graph& graph : convolutions(geometry)) {
      const auto inputs = testing::random_inputs(graph, ++seed);
      const auto found = testing::run_op(graph, inputs, device, DType::float32);
      const auto exact = testing::run_op(graph, inputs, reference, DType::float64);
      const double tolerance = terms(graph) * std::numeric_limits<float>::epsilon();
      EXPECT_THAT(found[0], ::testing::Pointwise(::testing::DoubleNear(tolerance), exact[0])) << text_of(graph);
    }
}

/// Both round sums in float to 16 bits: neighbours at most.
void expect_convolutions_in(DType storage, double epsilon, Device& device) {
  ReferenceDevice reference;
  std::uint32_t seed = 500;
  for (const Geometry& geometry : kConvolutions)
    for (Graph graph : convolutions(geometry)) {
      for (Tensor& tensor : graph.tensors) tensor.dtype = storage;
      const auto inputs = testing::random_inputs(graph, ++seed);
      const auto found = testing::run_op(graph, inputs, device, DType::float32);
      const auto expected = testing::run_op(graph, inputs, reference, DType::float32);
      double largest = 0;
      for (const double value : expected[0]) largest = std::max(largest, std::abs(value));
      EXPECT_THAT(found[0], ::testing::Pointwise(::testing::DoubleNear(2 * epsilon * largest), expected[0]))
          << text_of(graph) << " in " << name_of(storage);
    }
}

TEST_P(ImageKernels, ConvolutionsAgreeIn16Bits) {
  CpuDevice device(team_of(GetParam()));
  expect_convolutions_in(DType::bfloat16, 0x1p-7, device);
  expect_convolutions_in(DType::float16, 0x1p-10, device);
}

TEST_P(ImageKernels, PoolingsEqualTheReference) {
  CpuDevice device(team_of(GetParam()));
  ReferenceDevice reference;
  std::uint32_t seed = 400;
  for (const Geometry& geometry : kPoolings)
    for (const Graph& graph : poolings(geometry)) {
      const auto inputs = testing::random_inputs(graph, ++seed);
      EXPECT_EQ(testing::run_op(graph, inputs, device, DType::float32),
                testing::run_op(graph, inputs, reference, DType::float32))
          << text_of(graph);
    }
}

INSTANTIATE_TEST_SUITE_P(Teams, ImageKernels, ::testing::Values(1, 2));

/// Replicas with unlike counts, 90,000 values of mean 0 and 250,000 of mean 1, both of variance 1: the sums of their
/// statistics give the moments of all values together, not the mean of the means (0.5, 1.25). After
/// pytorch/pytorch#22192, NVIDIA/apex#387.
TEST(BatchNormKernels, WeighReplicasByTheirCounts) {
  const auto around = [](std::size_t count, double mean) {
    std::vector<double> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = mean + (i % 2 == 0 ? 1 : -1);
    return values;
  };
  const std::vector<double> replicas[] = {around(90000, 0), around(250000, 1)};
  CpuDevice cpu(team_of(2));
  ReferenceDevice reference;
  Device* const devices[] = {&cpu, &reference};
  for (Device* device : devices) {
    std::vector<double> summed(3);
    for (const std::vector<double>& x : replicas) {
      const Graph graph = graph_of("batch_norm_statistics", {real({static_cast<std::int64_t>(x.size()), 1})}, {});
      const auto moments = testing::run_op(graph, std::vector<std::vector<double>>{x}, *device, DType::float32)[0];
      for (std::size_t i = 0; i < summed.size(); ++i) summed[i] += moments[i];
    }
    Tensor statistics = real({3}), running = real({1});
    statistics.dtype = DType::float64;
    const Graph norm = graph_of("batch_norm", {real({1, 1}), statistics, real({1}), real({1}), running, running},
                                {{"epsilon", 0}, {"momentum", 1}});
    const std::vector<std::vector<double>> inputs = {{0.5}, summed, {2}, {10}, {7}, {7}};
    const auto outputs = testing::run_op(norm, inputs, *device, DType::float32);
    constexpr double kMean = 0.7352941, kBiased = 1.1946367, kCount = 340000;
    EXPECT_NEAR(outputs[1][0], kMean, 1e-6);
    EXPECT_NEAR(outputs[2][0], kBiased * kCount / (kCount - 1), 1e-6);
    EXPECT_NEAR(outputs[0][0], (0.5 - kMean) / std::sqrt(kBiased) * 2 + 10, 1e-5) << "normalised by the biased one";
  }
}

/// Mean far above the deviation: float sums of squares would leave nothing of the variance.
TEST(BatchNormKernels, KeepTheVarianceOfChannelsWithALargeMean) {
  constexpr std::int64_t kRows = 5000, kChannels = 3;
  const double mean[] = {1000, -20000, 0.5}, deviation[] = {1, 4, 0.001};
  std::mt19937 generator(5);
  std::normal_distribution<double> normal;
  std::vector<double> x(kRows * kChannels);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<float>(mean[i % kChannels] + deviation[i % kChannels] * normal(generator));
  const Graph graph = graph_of("batch_norm_statistics", {real({kRows, kChannels})}, {});
  CpuDevice cpu(team_of(2));
  ReferenceDevice reference;
  Device* const devices[] = {&cpu, &reference};
  for (std::size_t c = 0; c < kChannels; ++c) {
    long double sum = 0, squares = 0;
    for (std::size_t i = c; i < x.size(); i += kChannels) sum += x[i];
    for (std::size_t i = c; i < x.size(); i += kChannels) squares += (x[i] - sum / kRows) * (x[i] - sum / kRows);
    const auto exact = static_cast<double>(squares / kRows);
    for (Device* device : devices) {
      const auto moments = testing::run_op(graph, std::vector<std::vector<double>>{x}, *device, DType::float32)[0];
      ASSERT_EQ(moments[2 * kChannels], kRows);
      const double m = moments[c] / kRows, v = moments[kChannels + c] / kRows - m * m;
      EXPECT_NEAR(m, static_cast<double>(sum / kRows), 1e-9 * std::abs(mean[c]));
      EXPECT_NEAR(v, exact, 5e-6 * exact) << "channel " << c << (device == &cpu ? " CPU" : " reference");
    }
  }
}

}  // namespace
}  // namespace dtbench
