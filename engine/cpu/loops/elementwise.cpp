#include "engine/cpu/loops/isa_loops.h"

namespace dtbench::DTBENCH_ISA {

void add(const float* __restrict a, const float* __restrict b, float* __restrict y, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) y[i] = a[i] + b[i];
}

void relu(const float* __restrict x, float* __restrict y, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}

void relu_grad(const float* __restrict y, const float* __restrict dy, float* __restrict dx, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) dx[i] = y[i] > 0 ? dy[i] : 0;
}

}  // namespace dtbench::DTBENCH_ISA
