// The arithmetic a matrix unit works in. Storage types of tensors are `DType` (engine/plan/tensor.h): tf32 and fp8 are
// ways to multiply, not necessarily ways to store.
#pragma once

#include <array>
#include <string_view>

namespace dtbench {

enum class Arithmetic { float64, float32, tf32, bfloat16, float16, float8 };

inline constexpr std::array<std::string_view, 6> kArithmeticNames = {"float64",  "float32", "tf32",
                                                                     "bfloat16", "float16", "float8"};

constexpr std::string_view name_of(Arithmetic arithmetic) {
  return kArithmeticNames[static_cast<std::size_t>(arithmetic)];
}

}  // namespace dtbench
