// The CPU's kernels against the oracle: every kind x shapes x team sizes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/cpu/cpu_device.h"
#include "engine/cpu/host_probe.h"
#include "engine/reference/reference_device.h"
#include "tests/support/op_case.h"

namespace dtbench {
namespace {

using ::testing::ContainerEq;
using ::testing::DoubleNear;
using testing::op_graph;
using testing::OpSizes;
using ::testing::Pointwise;
using testing::random_inputs;
using testing::run_op;

/// Single values, odd sizes, around vector lengths and blocks, empty batches, enough work for the whole team.
constexpr OpSizes kShapes[] = {
    {0, 5, 3},     {1, 1, 1},    {1, 17, 2},      {3, 1, 5},      {7, 10, 13},   {16, 16, 16},   {31, 63, 33},
    {128, 10, 64}, {65, 129, 1}, {127, 129, 131}, {512, 100, 50}, {2, 40000, 3}, {257, 300, 97}, {1, 1000, 1000},
};

/// A team on the cores of this machine, several members a core where it has too few.
CoreTeam team_of(int members) {
  const std::vector<int> cores = make_host_probe()->facts().core_cpus;
  std::vector<int> cpus;
  for (int m = 0; m < members; ++m) cpus.push_back(cores[static_cast<std::size_t>(m) % cores.size()]);
  return CoreTeam(cpus);
}

class CpuKernels : public ::testing::TestWithParam<std::tuple<std::string_view, int>> {
 protected:
  std::string_view kind() const { return std::get<0>(GetParam()); }
  int members() const { return std::get<1>(GetParam()); }
  bool is_dense() const { return kind().starts_with("dense"); }
  bool is_softmax() const { return kind() == "softmax_cross_entropy"; }
  bool is_layer_norm() const { return kind().starts_with("layer_norm"); }
  bool has_exponentials() const {
    return kind().starts_with("attention") || kind().starts_with("gelu") || kind() == "tanh";
  }
  bool is_convolution() const { return kind().starts_with("conv2d"); }
  bool is_batch_norm() const { return kind().starts_with("batch_norm"); }
  bool is_exact() const {
    return !is_dense() && !is_softmax() && !is_layer_norm() && !has_exponentials() && !is_convolution() &&
           !is_batch_norm();
  }
  /// Terms of the longest sum.
  std::int64_t terms(const OpSizes& sizes) const {
    if (is_dense()) return std::max(sizes.depth, std::int64_t{8});
    if (is_layer_norm()) return std::max({sizes.rows, sizes.columns, std::int64_t{16}});
    if (is_batch_norm()) return 16 * std::max(sizes.rows, std::int64_t{8});  // sums of squares of up to 4
    if (is_convolution()) return 60;                                         // pixels of the largest image case
    return has_exponentials() ? 19 : 8;
  }
};

/// To the bit, or to terms * epsilon, as for the reference against double.
TEST_P(CpuKernels, AgreeWithTheReference) {
  CpuDevice device(team_of(members()));
  ReferenceDevice reference;
  std::uint32_t seed = 1000;
  for (const OpSizes& sizes : kShapes) {
    const Graph graph = op_graph(kind(), sizes);
    const auto inputs = random_inputs(graph, ++seed);
    const auto found = run_op(graph, inputs, device, DType::float32);
    const bool exact = is_exact();
    const auto expected = run_op(graph, inputs, reference, exact ? DType::float32 : DType::float64);
    const auto terms_of_sum = static_cast<double>(terms(sizes));
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const std::string what = std::string(text_of(sizes)) + ", seed " + std::to_string(seed);
      if (exact) {
        EXPECT_THAT(found[i], ContainerEq(expected[i])) << what;
      } else {
        const double largest = i == 0 && is_softmax() ? std::max(1.0, expected[0][0]) : 1.0;
        const double tolerance = terms_of_sum * largest * std::numeric_limits<float>::epsilon();
        EXPECT_THAT(found[i], Pointwise(DoubleNear(tolerance), expected[i])) << what;
      }
    }
  }
}

/// Both round results to 16 bits, after sums that may differ in the last bits of a float: neighbours at most, with what
/// a neighbour among the rounded probabilities of attention can change.
void expect_agreement_in(DType storage, double epsilon, std::string_view kind, int members) {
  CpuDevice device(team_of(members));
  ReferenceDevice reference;
  std::uint32_t seed = 3000;
  for (const OpSizes& sizes : kShapes) {
    const Graph graph = op_graph(kind, sizes, storage);
    const auto inputs = random_inputs(graph, ++seed);
    const auto found = run_op(graph, inputs, device, DType::float32);
    const auto expected = run_op(graph, inputs, reference, DType::float32);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      double largest = 0;
      for (const double value : expected[i]) largest = std::max(largest, std::abs(value));
      EXPECT_THAT(found[i], Pointwise(DoubleNear(2 * epsilon * largest), expected[i]))
          << kind << " output " << i << ", " << text_of(sizes) << ", seed " << seed;
    }
  }
}

constexpr std::string_view kKindsIn16Bits[] = {
    "attention", "attention_grad", "dense",       "dense_grad_input", "dense_grad_weight", "dropout",
    "embedding", "embedding_grad", "gather_rows", "gather_rows_grad", "dropout_grad",      "gelu",
    "gelu_grad", "layer_norm",     "tanh",        "layer_norm_grad",  "tanh_grad"};

TEST(CpuKernelsIn16Bits, AgreeWithTheReferenceInBfloat16) {
  for (const auto kind : kKindsIn16Bits) expect_agreement_in(DType::bfloat16, 0x1p-7, kind, 2);
}

TEST(CpuKernelsIn16Bits, AgreeWithTheReferenceInFloat16) {
  for (const auto kind : kKindsIn16Bits) expect_agreement_in(DType::float16, 0x1p-10, kind, 2);
}

/// What bit-identical resumption of a training run stands on.
TEST_P(CpuKernels, RepeatToTheBit) {
  CpuDevice device(team_of(members()));
  const Graph graph = op_graph(kind(), {127, 129, 131});
  const auto inputs = random_inputs(graph, 5);
  EXPECT_EQ(run_op(graph, inputs, device, DType::float32), run_op(graph, inputs, device, DType::float32));
}

INSTANTIATE_TEST_SUITE_P(EveryKind, CpuKernels,
                         ::testing::Combine(::testing::ValuesIn(testing::op_case_kinds()), ::testing::Values(1, 2, 3)),
                         [](const auto& test) {
                           return std::string(std::get<0>(test.param)) + "_team" +
                                  std::to_string(std::get<1>(test.param));
                         });

}  // namespace
}  // namespace dtbench
