// Numbers stored in 16 bits and computed in float: bfloat16 (the upper half of a float) and IEEE half precision.
//
// Kernels are templates over the storage type: reading an element gives a float, assigning rounds one to nearest even.
// There is no `+=` on purpose: a sum kept in 16 bits loses everything below 2^-8 (2^-11) of itself, so sums are kept in
// `Wide<T>` and stored once. Subnormal halves are kept; infinities and NaNs stay what they are.
//
// Always inlined, and free of any library: files compiled for one instruction set level (engine/cpu/loops) include this
// header, and must leave no copy behind for code that runs on lesser processors.
#pragma once

#include <cstdint>

namespace dtbench {

#define DTBENCH_ALWAYS_INLINE [[gnu::always_inline]] inline

struct Bfloat16 {
  std::uint16_t bits;

  Bfloat16() = default;
  DTBENCH_ALWAYS_INLINE constexpr Bfloat16(float value) : bits(rounded(__builtin_bit_cast(std::uint32_t, value))) {}
  DTBENCH_ALWAYS_INLINE constexpr operator float() const {
    return __builtin_bit_cast(float, static_cast<std::uint32_t>(bits) << 16);
  }

 private:
  DTBENCH_ALWAYS_INLINE static constexpr std::uint16_t rounded(std::uint32_t value) {
    const std::uint32_t half_even = 0x7fffU + ((value >> 16) & 1U);
    const std::uint32_t number = (value + half_even) >> 16;
    const std::uint32_t nan = (value >> 16) | 0x40U;  // quiet; rounding could carry a NaN into infinity
    return static_cast<std::uint16_t>((value & 0x7fffffffU) > 0x7f800000U ? nan : number);
  }
};

struct Float16 {
  std::uint16_t bits;

  Float16() = default;
  DTBENCH_ALWAYS_INLINE constexpr Float16(float value) : bits(rounded(__builtin_bit_cast(std::uint32_t, value))) {}
  DTBENCH_ALWAYS_INLINE constexpr operator float() const {
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16;
    const std::uint32_t magnitude = static_cast<std::uint32_t>(bits & 0x7fffU) << 13;
    return __builtin_bit_cast(float, sign | widened(magnitude));
  }

 private:
  // Exponents are biased by 15 in a half and by 127 in a float. No intermediate is a subnormal float, so the result does
  // not depend on whether the thread treats those as zero (engine/runtime/denormals.h).
  static constexpr std::uint32_t kHalfInfinity = 31U << 23, kBias = 112U << 23, kSmallestNormal = 113U << 23;

  DTBENCH_ALWAYS_INLINE static constexpr std::uint32_t widened(std::uint32_t magnitude) {
    const std::uint32_t quiet = magnitude > kHalfInfinity ? 1U << 22 : 0;
    const std::uint32_t special = (magnitude + 2 * kBias) | quiet;
    const float subnormal = __builtin_bit_cast(float, magnitude + kSmallestNormal) -
                            __builtin_bit_cast(float, kSmallestNormal);
    const std::uint32_t finite = magnitude < 1U << 23 ? __builtin_bit_cast(std::uint32_t, subnormal) : magnitude + kBias;
    return magnitude >= kHalfInfinity ? special : finite;
  }

  DTBENCH_ALWAYS_INLINE static constexpr std::uint16_t rounded(std::uint32_t value) {
    const std::uint32_t magnitude = value & 0x7fffffffU;
    const std::uint32_t nan = 0x7e00U | ((magnitude >> 13) & 0x3ffU);
    const std::uint32_t special = magnitude > 0x7f800000U ? nan : 0x7c00U;
    // Adding 1/2 moves the last bit of a subnormal half to the last bit of the float, and rounds.
    const float shifted = __builtin_bit_cast(float, magnitude) + 0.5F;
    const std::uint32_t subnormal = __builtin_bit_cast(std::uint32_t, shifted) - __builtin_bit_cast(std::uint32_t, 0.5F);
    const std::uint32_t normal = (magnitude - kBias + 0xfffU + ((magnitude >> 13) & 1U)) >> 13;
    const std::uint32_t finite = magnitude < kSmallestNormal ? subnormal : normal;
    return static_cast<std::uint16_t>(((value >> 16) & 0x8000U) | (magnitude >= (143U << 23) ? special : finite));
  }
};

#undef DTBENCH_ALWAYS_INLINE

/// What arithmetic on a storage type is done in.
template <class T>
struct WideOf {
  using type = float;
};
template <>
struct WideOf<double> {
  using type = double;
};
template <class T>
using Wide = typename WideOf<T>::type;

}  // namespace dtbench
