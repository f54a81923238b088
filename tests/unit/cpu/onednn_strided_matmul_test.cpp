#include "engine/cpu/onednn_strided_matmul.h"

#include <gtest/gtest.h>

#include <vector>

#include "engine/cpu/onednn_support.h"
#include "engine/runtime/visit_dtype.h"

namespace dtbench {
namespace {

std::vector<float> ramp(std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(static_cast<int>(i % 13) - 6) / 4;
  return values;
}

// Columns 2 to 4 of a matrix 7 wide, times the transpose of columns 1 to 3 of one 5 wide, into columns 3 to 6 of one 9
// wide; the rest of it is left alone.
TEST(OnednnStridedMatmul, MultipliesInsideWiderMatrices) {
  const auto a = ramp(3 * 7), b = ramp(4 * 5);
  std::vector<float> c(3 * 9, -1.0F);
  OnednnStridedMatmul product({.rows = 3, .columns = 3, .stride = 7},
                              {.rows = 3, .columns = 4, .stride = 5, .transposed = true},
                              {.rows = 3, .columns = 4, .stride = 9});
  for (int again = 0; again < 2; ++again) {
    product.run(a.data() + 2, b.data() + 1, c.data() + 3);
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 9; ++j) {
        float expected = j >= 3 && j < 7 ? 0 : -1.0F;
        for (std::size_t k = 0; k < 3 && j >= 3 && j < 7; ++k) expected += a[i * 7 + 2 + k] * b[(j - 3) * 5 + 1 + k];
        EXPECT_FLOAT_EQ(c[i * 9 + j], expected) << i << " " << j;
      }
    }
  }
}

template <class T>
void expect_product_of_transposed() {
  const auto a_values = ramp(5 * 4), b_values = ramp(5 * 3);
  const std::vector<T> a(a_values.begin(), a_values.end()), b(b_values.begin(), b_values.end());
  std::vector<float> c(4 * 3);
  OnednnStridedMatmul product({.rows = 4, .columns = 5, .stride = 4, .transposed = true, .dtype = dtype_of<T>},
                              {.rows = 5, .columns = 3, .stride = 3, .dtype = dtype_of<T>},
                              {.rows = 4, .columns = 3, .stride = 3});
  product.run(a.data(), b.data(), c.data());
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      float expected = 0;
      for (std::size_t k = 0; k < 5; ++k) expected += a[k * 4 + i] * b[k * 3 + j];
      EXPECT_FLOAT_EQ(c[i * 3 + j], expected) << i << " " << j;
    }
  }
}

TEST(OnednnStridedMatmul, TakesTransposedFirstOperands) { expect_product_of_transposed<float>(); }

TEST(OnednnStridedMatmul, TakesBfloat16WhereOnednnComputesIt) {
  if (!onednn_computes(DType::bfloat16)) GTEST_SKIP() << "no bfloat16 in oneDNN on this processor";
  expect_product_of_transposed<Bfloat16>();
}

}  // namespace
}  // namespace dtbench
