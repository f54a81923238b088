#include "engine/cpu/loops/isa_loops.h"

namespace dtbench::DTBENCH_ISA {

namespace {

constexpr std::int64_t kBlock = 64;  // columns whose sums stay in registers

void sum_block(const float* __restrict dy, float* __restrict db, RowShape shape) {
  float sum[kBlock] = {};
  for (std::int64_t row = 0; row < shape.rows; ++row) {
    const float* values = dy + row * shape.columns;
    for (std::int64_t j = 0; j < kBlock; ++j) sum[j] += values[j];
  }
  for (std::int64_t j = 0; j < kBlock; ++j) db[j] = sum[j];
}

void sum_rest(const float* __restrict dy, float* __restrict db, RowShape shape, std::int64_t columns) {
  for (std::int64_t j = 0; j < columns; ++j) db[j] = 0;
  for (std::int64_t row = 0; row < shape.rows; ++row) {
    for (std::int64_t j = 0; j < columns; ++j) db[j] += dy[row * shape.columns + j];
  }
}

}  // namespace

void bias(const float* __restrict x, const float* __restrict b, float* __restrict y, RowShape shape) {
  for (std::int64_t row = 0; row < shape.rows; ++row) {
    const std::int64_t first = row * shape.columns;
    for (std::int64_t j = 0; j < shape.columns; ++j) y[first + j] = x[first + j] + b[j];
  }
}

void bias_grad(const float* dy, float* db, RowShape shape, std::int64_t first, std::int64_t last) {
  for (; last - first >= kBlock; first += kBlock) sum_block(dy + first, db + first, shape);
  sum_rest(dy + first, db + first, shape, last - first);
}

}  // namespace dtbench::DTBENCH_ISA
