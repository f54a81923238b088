// The oracle itself: against numbers worked out by hand, and float against double.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "engine/reference/reference_device.h"
#include "tests/support/op_case.h"

namespace dtbench {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using testing::op_graph;
using testing::OpSizes;
using ::testing::Pointwise;
using testing::random_inputs;
using testing::run_op;
using Values = std::vector<std::vector<double>>;

Values run(std::string_view kind, const OpSizes& sizes, const Values& inputs, DType real = DType::float64) {
  ReferenceDevice device;
  return run_op(op_graph(kind, sizes), inputs, device, real);
}

TEST(ReferenceDense, MultipliesRowMajorMatrices) {
  const auto y = run("dense", {.rows = 2, .columns = 3, .depth = 2}, {{1, 2, 3, 4}, {5, 6, 7, 8, 9, 10}});
  EXPECT_THAT(y[0], ElementsAre(21, 24, 27, 47, 54, 61));
}

TEST(ReferenceDense, GradientOfInputMultipliesByTheTransposedWeight) {
  const auto dx = run("dense_grad_input", {.rows = 1, .columns = 2, .depth = 3}, {{1, 2, 3}, {4, 5, 6, 7, 8, 9}});
  EXPECT_THAT(dx[0], ElementsAre(32, 50));
}

TEST(ReferenceDense, GradientOfWeightSumsOverTheBatch) {
  const auto dw = run("dense_grad_weight", {.rows = 2, .columns = 1, .depth = 3}, {{1, 2, 3, 4, 5, 6}, {7, 8, 9}});
  EXPECT_THAT(dw[0], ElementsAre(76, 100));
}

TEST(ReferenceBias, AddsToEveryRow) {
  EXPECT_THAT(run("bias", {.rows = 2, .columns = 2}, {{1, 2, 3, 4}, {10, 20}})[0], ElementsAre(11, 22, 13, 24));
}

TEST(ReferenceBias, GradientSumsTheRows) {
  EXPECT_THAT(run("bias_grad", {.rows = 3, .columns = 2}, {{1, 2, 3, 4, 5, 6}})[0], ElementsAre(9, 12));
}

TEST(ReferenceRelu, ClearsNegativesAndKeepsNotANumber) {
  const auto y = run("relu", {.rows = 1, .columns = 4}, {{-1, 0, 2, std::numeric_limits<double>::quiet_NaN()}})[0];
  EXPECT_THAT(std::vector(y.begin(), y.begin() + 3), ElementsAre(0, 0, 2));
  EXPECT_TRUE(std::isnan(y[3]));
}

TEST(ReferenceRelu, GradientPassesWhereTheOutputIsPositive) {
  EXPECT_THAT(run("relu_grad", {.rows = 1, .columns = 3}, {{0, 2, 0}, {5, 6, 7}})[0], ElementsAre(0, 6, 0));
}

TEST(ReferenceSoftmaxCrossEntropy, IsScaledLogOfTheClassesForEqualLogits) {
  const auto out = run("softmax_cross_entropy", {.rows = 2, .columns = 4}, {{3, 3, 3, 3, 0, 0, 0, 0}, {1, 2}});
  EXPECT_THAT(out[0], ElementsAre(DoubleNear(0.25 * 2 * std::log(4), 1e-15)));
  EXPECT_THAT(out[1], ::testing::Each(0.25));
}

TEST(ReferenceSoftmaxCrossEntropy, StandsLargeLogits) {
  for (const DType real : {DType::float32, DType::float64}) {
    const auto out = run("softmax_cross_entropy", {.rows = 2, .columns = 2}, {{1e4, -1e4, 3e38, 3e38}, {1, 0}}, real);
    EXPECT_THAT(out[0], ElementsAre(DoubleNear(0.25 * (2e4 + std::numbers::ln2), 1e-3)));
    EXPECT_THAT(out[1], ElementsAre(1, 0, 0.5, 0.5));
  }
}

TEST(ReferenceSoftmaxCrossEntropy, LabelsOutsideTheRowAddNothing) {
  const auto out = run("softmax_cross_entropy", {.rows = 2, .columns = 2}, {{1, 2, 3, 4}, {-1, 2}});
  EXPECT_EQ(out[0][0], 0);
  const auto gradient = run("softmax_cross_entropy_grad", {.rows = 2, .columns = 2}, {{0.5, 0.5, 0.5, 0.5}, {-1, 2}});
  EXPECT_THAT(gradient[0], ::testing::Each(0.125));
}

TEST(ReferenceSoftmaxCrossEntropy, GradientOfEachRowAddsUpToZero) {
  const auto gradient = run("softmax_cross_entropy_grad", {.rows = 1, .columns = 4}, {{0.5, 0.25, 0.125, 0.125}, {1}});
  EXPECT_THAT(gradient[0], ElementsAre(0.125, -0.1875, 0.03125, 0.03125));
}

TEST(ReferenceAdd, Adds) { EXPECT_THAT(run("add", {.columns = 2}, {{1, 2}, {3, 5}})[0], ElementsAre(4, 7)); }

TEST(ReferenceSgdMomentum, MovesAgainstTheVelocity) {
  // v = 0.9 * 10 + 1 = 10, p = 5 - 0.125 * 10
  const auto out = run("sgd_momentum", {}, {{5}, {1}, {10}});
  EXPECT_THAT(out, ElementsAre(ElementsAre(3.75), ElementsAre(10)));
}

TEST(ReferenceKernels, AcceptAnEmptyBatch) {
  for (const auto kind : testing::op_case_kinds()) {
    if (kind == "slice_rows" || kind == "all_finite") continue;  // a table and a flag, which know no batch
    const Graph graph = op_graph(kind, {.rows = 0, .columns = 3, .depth = 2});
    ReferenceDevice device;
    const GraphOp& op = graph.ops.front();
    const auto values = run_op(graph, random_inputs(graph, 1), device, DType::float32);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const bool in_place = std::ranges::find(op.inputs, op.outputs[i]) != op.inputs.end();
      if (!in_place) {
        EXPECT_THAT(values[i], ::testing::Each(0.0)) << kind;
      }
    }
  }
}

// Inputs lie within [-1, 1], sums have at most `depth` or `rows` terms: each rounding adds at most half an ulp of the
// partial sum, so the error stays below terms * epsilon.
TEST(ReferenceKernels, FloatAgreesWithDouble) {
  const OpSizes shapes[] = {{1, 1, 1}, {1, 7, 3}, {5, 1, 64}, {17, 10, 129}, {64, 33, 31}, {128, 100, 200}};
  std::uint32_t seed = 100;
  for (const auto kind : testing::op_case_kinds()) {
    for (const OpSizes& sizes : shapes) {
      const Graph graph = op_graph(kind, sizes);
      const auto inputs = random_inputs(graph, ++seed);
      ReferenceDevice device;
      const auto single = run_op(graph, inputs, device, DType::float32);
      const auto exact = run_op(graph, inputs, device, DType::float64);
      const double terms = static_cast<double>(std::max({sizes.rows, sizes.depth, std::int64_t{8}}));
      for (std::size_t i = 0; i < exact.size(); ++i) {
        const double largest = i == 0 && kind == "softmax_cross_entropy" ? std::max(1.0, exact[0][0]) : 1.0;
        EXPECT_THAT(single[i], Pointwise(DoubleNear(terms * largest * std::numeric_limits<float>::epsilon()), exact[i]))
            << kind << " output " << i << ", " << text_of(sizes) << ", seed " << seed;
      }
    }
  }
}

}  // namespace
}  // namespace dtbench
