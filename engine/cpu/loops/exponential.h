// e^x for x <= 0, one element at a time, written so that a loop around it vectorises. Always inlined: a copy of its own
// could be shared with code for lesser processors.
#pragma once

#include <cstdint>

namespace dtbench::DTBENCH_ISA {

/// Relative error below 2e-7; smaller than e^-87 counts as e^-87. Reduction by n ln 2 with ln 2 in two parts, then a
/// polynomial of degree 6 (coefficients of Cephes, expf).
[[gnu::always_inline]] inline float exp_of_negative_element(float x) {
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

/// 2^x for x <= 0, for weights relative to one of 1: fewer operations than above; the error of 1e-7 grows with the
/// rounding of x itself, to 3e-6 at 2^-60. Smaller than 2^-126 counts as 2^-126. Polynomial: minimax of the relative
/// error on [-1/2, 1/2], fitted for this.
[[gnu::always_inline]] inline float exp2_of_negative_element(float x) {
  constexpr float kRound = 12582912.0F;
  x = x < -126.0F ? -126.0F : x;
  const float shifted = x + kRound;
  const float f = x - (shifted - kRound);
  float p = 1.327647187e-3F;
  p = p * f + 9.675541334e-3F;
  p = p * f + 5.550713274e-2F;
  p = p * f + 2.402211972e-1F;
  p = p * f + 6.931469671e-1F;
  p = p * f + 1.0F;
  const std::uint32_t power = (__builtin_bit_cast(std::uint32_t, shifted) + 127U) << 23U;
  return p * __builtin_bit_cast(float, power);
}

[[gnu::always_inline]] inline float magnitude_of(float x) {
  return __builtin_bit_cast(float, __builtin_bit_cast(std::uint32_t, x) & 0x7fffffffU);
}

[[gnu::always_inline]] inline float with_sign_of(float magnitude, float sign) {
  return __builtin_bit_cast(
      float, __builtin_bit_cast(std::uint32_t, magnitude) | (__builtin_bit_cast(std::uint32_t, sign) & 0x80000000U));
}

}  // namespace dtbench::DTBENCH_ISA
