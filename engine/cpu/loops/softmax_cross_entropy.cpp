#include "engine/cpu/loops/isa_loops.h"

namespace dtbench::DTBENCH_ISA {

namespace {

// e^x for x <= 0, relative error below 2e-7; smaller than e^-87 counts as e^-87. Reduction by n ln 2 with ln 2 in two
// parts, then a polynomial of degree 6 (coefficients of Cephes, expf). Branch-free, so that it vectorises.
inline float exp_of_negative(float x) {
  constexpr float kLog2E = 1.44269504F, kLn2High = 0.693359375F, kLn2Low = -2.12194440e-4F;
  constexpr float kRound = 12582912.0F;  // 1.5 * 2^23: adding it leaves the nearest integer in the low bits
  x = x < -87.0F ? -87.0F : x;
  const float shifted = x * kLog2E + kRound;
  const float n = shifted - kRound;
  const float r = x - n * kLn2High - n * kLn2Low;
  float p = 1.9875691500e-4F;
  p = p * r + 1.3981999507e-3F;
  p = p * r + 8.3334519073e-3F;
  p = p * r + 4.1665795894e-2F;
  p = p * r + 1.6666665459e-1F;
  p = p * r + 5.0000001201e-1F;
  p = p * r * r + r + 1.0F;
  const std::uint32_t power = (__builtin_bit_cast(std::uint32_t, shifted) + 127U) << 23U;
  return p * __builtin_bit_cast(float, power);
}

inline float largest_of(const float* values, std::int64_t count) {
  float largest = values[0];
  for (std::int64_t j = 1; j < count; ++j) largest = values[j] > largest ? values[j] : largest;
  return largest;
}

}  // namespace

double softmax_cross_entropy(const float* __restrict logits, const std::int32_t* labels, float* __restrict p,
                             RowShape shape) {
  double loss = 0;
  for (std::int64_t row = 0; row < shape.rows; ++row) {
    const float* in = logits + row * shape.columns;
    float* out = p + row * shape.columns;
    const float largest = largest_of(in, shape.columns);
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::int64_t j = 0; j < shape.columns; ++j) sum += out[j] = exp_of_negative(in[j] - largest);
    const float inverse = 1.0F / sum;
    for (std::int64_t j = 0; j < shape.columns; ++j) out[j] *= inverse;
    const std::int32_t label = labels[row];
    if (label >= 0 && label < shape.columns) loss += __builtin_logf(sum) - (in[label] - largest);
  }
  return loss;
}

void softmax_cross_entropy_grad(const float* __restrict p, const std::int32_t* labels, float* __restrict dlogits,
                                RowShape shape, float scale) {
  const std::int64_t count = shape.rows * shape.columns;
  for (std::int64_t i = 0; i < count; ++i) dlogits[i] = scale * p[i];
  for (std::int64_t row = 0; row < shape.rows; ++row) {
    const std::int32_t label = labels[row];
    const std::int64_t i = row * shape.columns + label;
    if (label >= 0 && label < shape.columns) dlogits[i] = scale * (p[i] - 1.0F);
  }
}

}  // namespace dtbench::DTBENCH_ISA
