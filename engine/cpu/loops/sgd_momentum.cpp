#include "engine/cpu/loops/isa_loops.h"

namespace dtbench::DTBENCH_ISA {

void sgd_momentum(float* __restrict param, const float* __restrict grad, float* __restrict velocity, std::int64_t count,
                  float momentum, float learning_rate) {
  for (std::int64_t i = 0; i < count; ++i) {
    const float v = momentum * velocity[i] + grad[i];
    velocity[i] = v;
    param[i] -= learning_rate * v;
  }
}

}  // namespace dtbench::DTBENCH_ISA
