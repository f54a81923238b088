#include "engine/cpu/onednn_strided_matmul.h"

#include <gtest/gtest.h>

#include <vector>

#include "engine/runtime/low_precision.h"

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

TEST(OnednnStridedMatmul, TakesBfloat16AndTransposedFirstOperands) {
  std::vector<Bfloat16> a, b;
  for (const float value : ramp(5 * 4)) a.emplace_back(value);
  for (const float value : ramp(5 * 3)) b.emplace_back(value);
  std::vector<float> c(4 * 3);
  OnednnStridedMatmul product({.rows = 4, .columns = 5, .stride = 4, .transposed = true, .dtype = DType::bfloat16},
                              {.rows = 5, .columns = 3, .stride = 3, .dtype = DType::bfloat16},
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

}  // namespace
}  // namespace dtbench
