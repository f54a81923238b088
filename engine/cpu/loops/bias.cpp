#include "engine/cpu/loops/isa_loops.h"

namespace dtbench::DTBENCH_ISA {

namespace {

constexpr std::int64_t kBiasColumns = 64;  // columns whose sums stay in registers

template <class T>
void sum_block(const T* __restrict dy, T* __restrict db, RowShape shape) {
  float sum[kBiasColumns] = {};
  for (std::int64_t row = 0; row < shape.rows; ++row) {
    const T* values = dy + row * shape.columns;
    for (std::int64_t j = 0; j < kBiasColumns; ++j) sum[j] += values[j];
  }
  for (std::int64_t j = 0; j < kBiasColumns; ++j) db[j] = sum[j];
}

// Fewer columns than a block.
template <class T>
void sum_rest(const T* __restrict dy, T* __restrict db, RowShape shape, std::int64_t columns) {
  float sum[kBiasColumns] = {};
  for (std::int64_t row = 0; row < shape.rows; ++row) {
    for (std::int64_t j = 0; j < columns; ++j) sum[j] += dy[row * shape.columns + j];
  }
  for (std::int64_t j = 0; j < columns; ++j) db[j] = sum[j];
}

}  // namespace

template <class T>
void Bias<T>::add(const T* __restrict x, const T* __restrict b, T* __restrict y, RowShape shape) {
  for (std::int64_t row = 0; row < shape.rows; ++row) {
    const std::int64_t first = row * shape.columns;
    for (std::int64_t j = 0; j < shape.columns; ++j) y[first + j] = x[first + j] + b[j];
  }
}

template <class T>
void Bias<T>::gradient(const T* dy, T* db, RowShape shape, std::int64_t first, std::int64_t last) {
  for (; last - first >= kBiasColumns; first += kBiasColumns) sum_block(dy + first, db + first, shape);
  sum_rest(dy + first, db + first, shape, last - first);
}

template struct Bias<float>;
template struct Bias<Bfloat16>;
template struct Bias<Float16>;

}  // namespace dtbench::DTBENCH_ISA
