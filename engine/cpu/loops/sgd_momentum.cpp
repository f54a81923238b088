#include "engine/cpu/loops/isa_loops.h"

namespace dtbench::DTBENCH_ISA {

void sgd_momentum(float* __restrict param, const float* __restrict grad, float* __restrict velocity, std::int64_t count,
                  MomentumRates rates) {
  for (std::int64_t i = 0; i < count; ++i) {
    const float v = rates.momentum * velocity[i] + rates.gradient_factor * grad[i];
    velocity[i] = v;
    param[i] -= rates.learning_rate * v;
  }
}

bool all_finite(const float* x, std::int64_t count) {
  std::uint32_t largest = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint32_t magnitude = __builtin_bit_cast(std::uint32_t, x[i]) & 0x7fffffffU;
    largest = magnitude > largest ? magnitude : largest;
  }
  return largest < 0x7f800000U;
}

}  // namespace dtbench::DTBENCH_ISA
