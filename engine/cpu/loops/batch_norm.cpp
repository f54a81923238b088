#include "engine/cpu/loops/isa_loops.h"

namespace dtbench::DTBENCH_ISA {

namespace {

// Sums of a block of rows are formed in float, of deviations from its first row (which is one of the values, so that
// squares cannot cancel: they lose at most kMomentRows roundings), and added to the rest in double.
constexpr std::int64_t kMomentRows = 64, kMomentColumns = 64;

struct MomentBlock {
  float first[kMomentColumns], sum[kMomentColumns], product[kMomentColumns];
};

[[gnu::always_inline]] inline void clear_sums(MomentBlock& block) {
  for (std::int64_t j = 0; j < kMomentColumns; ++j) block.sum[j] = block.product[j] = 0;
}

template <class T>
[[gnu::always_inline]] inline void add_moments(const T* __restrict x, double* __restrict sums,
                                               double* __restrict squares, RowShape block_shape, std::int64_t columns) {
  MomentBlock block;
  clear_sums(block);
  for (std::int64_t j = 0; j < columns; ++j) block.first[j] = x[j];
  for (std::int64_t row = 0; row < block_shape.rows; ++row)
    for (std::int64_t j = 0; j < columns; ++j) {
      const float deviation = x[row * block_shape.columns + j] - block.first[j];
      block.sum[j] += deviation;
      block.product[j] += deviation * deviation;
    }
  const double rows = static_cast<double>(block_shape.rows);
  for (std::int64_t j = 0; j < columns; ++j) {
    const double first = block.first[j], sum = block.sum[j];
    sums[j] += sum + rows * first;
    squares[j] += block.product[j] + first * (2 * sum + rows * first);
  }
}

template <class T>
[[gnu::always_inline]] inline void add_gradient_moments(const T* __restrict dy, const T* __restrict x,
                                                        const float* __restrict mean, double* __restrict sums,
                                                        double* __restrict products, RowShape block_shape,
                                                        std::int64_t columns) {
  MomentBlock block;
  clear_sums(block);
  for (std::int64_t row = 0; row < block_shape.rows; ++row)
    for (std::int64_t j = 0; j < columns; ++j) {
      const float gradient = dy[row * block_shape.columns + j];
      block.sum[j] += gradient;
      block.product[j] += gradient * (x[row * block_shape.columns + j] - mean[j]);
    }
  for (std::int64_t j = 0; j < columns; ++j) {
    sums[j] += block.sum[j];
    products[j] += block.product[j];
  }
}

/// Calls use(first row, first column, shape of the block, its columns); the number of columns is a constant where it is
/// whole, so that sums stay in registers.
template <class Use>
[[gnu::always_inline]] inline void for_each_moment_block(RowShape shape, const Use& use) {
  for (std::int64_t row = 0; row < shape.rows; row += kMomentRows) {
    const RowShape block = {shape.rows - row < kMomentRows ? shape.rows - row : kMomentRows, shape.columns};
    std::int64_t column = 0;
    for (; column + kMomentColumns <= shape.columns; column += kMomentColumns) use(row, column, block, kMomentColumns);
    if (column < shape.columns) use(row, column, block, shape.columns - column);
  }
}

}  // namespace

template <class T>
void BatchNorm<T>::moments(const T* x, double* sums, RowShape shape) {
  for_each_moment_block(
      shape, [&](std::int64_t row, std::int64_t column, RowShape block,
                 std::int64_t columns) __attribute__((always_inline)) {
        add_moments(x + row * shape.columns + column, sums + column, sums + shape.columns + column, block, columns);
      });
}

template <class T>
void BatchNorm<T>::gradient_moments(const T* dy, const T* x, const float* mean, double* sums, RowShape shape) {
  for_each_moment_block(
      shape, [&](std::int64_t row, std::int64_t column, RowShape block, std::int64_t columns)
                 __attribute__((always_inline)) {
                   const std::int64_t first = row * shape.columns + column;
                   add_gradient_moments(dy + first, x + first, mean + column, sums + column,
                                        sums + shape.columns + column, block, columns);
                 });
}

template <class T>
void BatchNorm<T>::normalise(const T* __restrict x, T* __restrict y, RowShape shape, const ChannelScales& c) {
  const float* __restrict shift = c.shift, * __restrict scale = c.scale, * __restrict offset = c.offset;
  for (std::int64_t row = 0; row < shape.rows; ++row) {
    const T* __restrict in = x + row * shape.columns;
    T* __restrict out = y + row * shape.columns;
    for (std::int64_t j = 0; j < shape.columns; ++j) out[j] = (in[j] - shift[j]) * scale[j] + offset[j];
  }
}

template <class T>
void BatchNorm<T>::gradient(const T* __restrict dy, const T* __restrict x, T* __restrict dx, RowShape shape,
                            const ChannelScales& c, const float* __restrict of_x) {
  const float* __restrict shift = c.shift, * __restrict scale = c.scale, * __restrict offset = c.offset;
  for (std::int64_t row = 0; row < shape.rows; ++row) {
    const std::int64_t first = row * shape.columns;
    const T* __restrict gradient = dy + first, * __restrict in = x + first;
    T* __restrict out = dx + first;
    for (std::int64_t j = 0; j < shape.columns; ++j)
      out[j] = scale[j] * gradient[j] - of_x[j] * (in[j] - shift[j]) - offset[j];
  }
}

template struct BatchNorm<float>;
template struct BatchNorm<Bfloat16>;
template struct BatchNorm<Float16>;

}  // namespace dtbench::DTBENCH_ISA
