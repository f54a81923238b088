#include "engine/cpu/loops/isa_loops.h"

namespace dtbench::DTBENCH_ISA {

namespace {

// Rows are worked off in blocks of this many columns, so that short rows vectorise too and every level adds in the same
// order; the compiler cuts a block into registers of its level. The last block of a row is filled up with values that
// change nothing.
constexpr std::int64_t kRowBlock = 16;
typedef float RowBlock __attribute__((vector_size(kRowBlock * sizeof(float))));
typedef std::uint32_t BlockBits __attribute__((vector_size(kRowBlock * sizeof(std::uint32_t))));

inline RowBlock load_block(const float* in) {
  RowBlock block;
  __builtin_memcpy(&block, in, sizeof block);
  return block;
}

inline void store_block(const RowBlock& block, float* out) { __builtin_memcpy(out, &block, sizeof block); }

/// The last `count` columns of a row, fewer than a block.
inline RowBlock load_rest_of_row(const float* in, std::int64_t count, float filling) {
  float values[kRowBlock];
  for (std::int64_t j = 0; j < kRowBlock; ++j) values[j] = j < count ? in[j] : filling;
  return load_block(values);
}

inline void store_rest_of_row(const RowBlock& block, float* out, std::int64_t count) {
  float values[kRowBlock];
  store_block(block, values);
  for (std::int64_t j = 0; j < count; ++j) out[j] = values[j];
}

// e^x for x <= 0, relative error below 2e-7; smaller than e^-87 counts as e^-87. Reduction by n ln 2 with ln 2 in two
// parts, then a polynomial of degree 6 (coefficients of Cephes, expf).
inline RowBlock exp_of_negative(RowBlock x) {
  constexpr float kLog2E = 1.44269504F, kLn2High = 0.693359375F, kLn2Low = -2.12194440e-4F;
  constexpr float kRound = 12582912.0F;  // 1.5 * 2^23: adding it leaves the nearest integer in the low bits
  x = x < -87.0F ? RowBlock{} - 87.0F : x;
  const RowBlock shifted = x * kLog2E + kRound;
  const RowBlock n = shifted - kRound;
  const RowBlock r = x - n * kLn2High - n * kLn2Low;
  RowBlock p = RowBlock{} + 1.9875691500e-4F;
  p = p * r + 1.3981999507e-3F;
  p = p * r + 8.3334519073e-3F;
  p = p * r + 4.1665795894e-2F;
  p = p * r + 1.6666665459e-1F;
  p = p * r + 5.0000001201e-1F;
  p = p * r * r + r + 1.0F;
  const BlockBits power = (reinterpret_cast<BlockBits>(shifted) + 127U) << 23U;
  return p * reinterpret_cast<RowBlock>(power);
}

inline RowBlock larger_of_blocks(RowBlock a, RowBlock b) { return b > a ? b : a; }
inline RowBlock sum_of_blocks(RowBlock a, RowBlock b) { return a + b; }

/// Of all elements, by halves.
template <class Combine>
inline float reduce_block(RowBlock block, Combine combine) {
  block = combine(block, __builtin_shuffle(block, BlockBits{8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7}));
  block = combine(block, __builtin_shuffle(block, BlockBits{4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11}));
  block = combine(block, __builtin_shuffle(block, BlockBits{2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13}));
  block = combine(block, __builtin_shuffle(block, BlockBits{1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14}));
  return block[0];
}

inline float largest_logit(const float* in, std::int64_t count) {
  RowBlock largest = RowBlock{} + in[0];
  std::int64_t first = 0;
  for (; first + kRowBlock <= count; first += kRowBlock) largest = larger_of_blocks(largest, load_block(in + first));
  if (first < count) largest = larger_of_blocks(largest, load_rest_of_row(in + first, count - first, in[0]));
  return reduce_block(largest, larger_of_blocks);
}

/// out = e^(in - largest); returns the sum.
inline float exponentials_of_logits(const float* in, float* out, std::int64_t count, float largest) {
  RowBlock sum = {};
  std::int64_t first = 0;
  for (; first + kRowBlock <= count; first += kRowBlock) {
    const RowBlock block = exp_of_negative(load_block(in + first) - largest);
    sum += block;
    store_block(block, out + first);
  }
  if (first < count) {
    const RowBlock block = exp_of_negative(load_rest_of_row(in + first, count - first, -__builtin_inff()) - largest);
    sum += block;
    store_rest_of_row(block, out + first, count - first);
  }
  return reduce_block(sum, sum_of_blocks);
}

}  // namespace

double softmax_cross_entropy(const float* __restrict logits, const std::int32_t* labels, float* __restrict p,
                             RowShape shape) {
  double loss = 0;
  for (std::int64_t row = 0; row < shape.rows; ++row) {
    const float* in = logits + row * shape.columns;
    float* out = p + row * shape.columns;
    const float largest = largest_logit(in, shape.columns);
    const float sum = exponentials_of_logits(in, out, shape.columns, largest);
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
