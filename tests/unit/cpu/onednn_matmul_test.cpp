#include "engine/cpu/onednn_matmul.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "engine/cpu/onednn_support.h"
#include "engine/runtime/low_precision.h"

namespace dtbench {
namespace {

/// Whole numbers, so that every order of sums gives the same result.
std::vector<float> whole_numbers(std::int64_t count, int step) {
  std::vector<float> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(static_cast<int>(i) * step % 7 - 3);
  return values;
}

std::vector<float> product(MatmulRequest request, MatmulWay way) {
  const auto a = whole_numbers(request.rows * request.depth, 3), b = whole_numbers(request.depth * request.columns, 5);
  std::vector<float> c(static_cast<std::size_t>(request.rows * request.columns), 99);
  request.a = a.data();
  request.b = b.data();
  request.c = c.data();
  OnednnMatmul(request, 1, way).run();
  return c;
}

TEST(OnednnMatmul, BothWaysGiveTheSameProduct) {
  for (const bool transpose_a : {false, true}) {
    for (const bool transpose_b : {false, true}) {
      for (const auto& [rows, columns, depth] : {std::tuple{1, 1, 1}, {5, 7, 3}, {33, 65, 17}, {1, 512, 64}}) {
        const MatmulRequest request{rows, columns, depth, transpose_a, transpose_b};
        EXPECT_EQ(product(request, MatmulWay::primitive), product(request, MatmulWay::gemm))
            << rows << "x" << depth << "x" << columns << (transpose_a ? " aT" : "") << (transpose_b ? " bT" : "");
      }
    }
  }
}

// Products of small whole numbers are exact in bfloat16 as well, their sums here too.
TEST(OnednnMatmul, MultipliesBfloat16WhereTheProcessorDoes) {
  if (!onednn_computes(DType::bfloat16)) GTEST_SKIP() << "no bfloat16 in oneDNN on this processor";
  for (const bool transpose_a : {false, true}) {
    for (const bool transpose_b : {false, true}) {
      MatmulRequest request{13, 17, 11, transpose_a, transpose_b};
      const auto expected = product(request, MatmulWay::primitive);
      const auto a = whole_numbers(13 * 11, 3), b = whole_numbers(11 * 17, 5);
      const std::vector<Bfloat16> low_a(a.begin(), a.end()), low_b(b.begin(), b.end());
      std::vector<Bfloat16> c(expected.size());
      request.type = DType::bfloat16;
      request.a = low_a.data();
      request.b = low_b.data();
      request.c = c.data();
      OnednnMatmul(request, 1).run();
      EXPECT_EQ(std::vector<float>(c.begin(), c.end()), expected) << transpose_a << transpose_b;
    }
  }
}

TEST(OnednnMatmul, SumsOfNothingAreZero) {
  for (const MatmulWay way : {MatmulWay::primitive, MatmulWay::gemm}) {
    EXPECT_THAT(product({.rows = 2, .columns = 3, .depth = 0}, way), ::testing::ElementsAre(0, 0, 0, 0, 0, 0));
    EXPECT_THAT(product({.rows = 0, .columns = 3, .depth = 4}, way), ::testing::IsEmpty());
  }
}

}  // namespace
}  // namespace dtbench
