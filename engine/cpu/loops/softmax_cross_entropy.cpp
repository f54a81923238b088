#include "engine/cpu/loops/isa_loops.h"

namespace dtbench::DTBENCH_ISA {

namespace {

// Rows are worked off in blocks of this many columns, so that short rows vectorise too and every level adds in the same
// order; the compiler cuts a block into registers of its level. The last block of a row is filled up with values that
// change nothing.
constexpr std::int64_t kBlock = 16;
typedef float Block __attribute__((vector_size(kBlock * sizeof(float))));
typedef std::uint32_t Bits __attribute__((vector_size(kBlock * sizeof(std::uint32_t))));

inline Block load(const float* in) {
  Block block;
  __builtin_memcpy(&block, in, sizeof block);
  return block;
}

inline void store(const Block& block, float* out) { __builtin_memcpy(out, &block, sizeof block); }

/// The last `count` columns of a row, fewer than a block.
inline Block load_rest(const float* in, std::int64_t count, float filling) {
  float values[kBlock];
  for (std::int64_t j = 0; j < kBlock; ++j) values[j] = j < count ? in[j] : filling;
  return load(values);
}

inline void store_rest(const Block& block, float* out, std::int64_t count) {
  float values[kBlock];
  store(block, values);
  for (std::int64_t j = 0; j < count; ++j) out[j] = values[j];
}

// e^x for x <= 0, relative error below 2e-7; smaller than e^-87 counts as e^-87. Reduction by n ln 2 with ln 2 in two
// parts, then a polynomial of degree 6 (coefficients of Cephes, expf).
inline Block exp_of_negative(Block x) {
  constexpr float kLog2E = 1.44269504F, kLn2High = 0.693359375F, kLn2Low = -2.12194440e-4F;
  constexpr float kRound = 12582912.0F;  // 1.5 * 2^23: adding it leaves the nearest integer in the low bits
  x = x < -87.0F ? Block{} - 87.0F : x;
  const Block shifted = x * kLog2E + kRound;
  const Block n = shifted - kRound;
  const Block r = x - n * kLn2High - n * kLn2Low;
  Block p = Block{} + 1.9875691500e-4F;
  p = p * r + 1.3981999507e-3F;
  p = p * r + 8.3334519073e-3F;
  p = p * r + 4.1665795894e-2F;
  p = p * r + 1.6666665459e-1F;
  p = p * r + 5.0000001201e-1F;
  p = p * r * r + r + 1.0F;
  const Bits power = (reinterpret_cast<Bits>(shifted) + 127U) << 23U;
  return p * reinterpret_cast<Block>(power);
}

inline Block larger(Block a, Block b) { return b > a ? b : a; }
inline Block sum_of(Block a, Block b) { return a + b; }

/// Of all elements, by halves.
template <class Combine>
inline float reduce(Block block, Combine combine) {
  block = combine(block, __builtin_shuffle(block, Bits{8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7}));
  block = combine(block, __builtin_shuffle(block, Bits{4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11}));
  block = combine(block, __builtin_shuffle(block, Bits{2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13}));
  block = combine(block, __builtin_shuffle(block, Bits{1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14}));
  return block[0];
}

inline float largest_of(const float* in, std::int64_t count) {
  Block largest = Block{} + in[0];
  std::int64_t first = 0;
  for (; first + kBlock <= count; first += kBlock) largest = larger(largest, load(in + first));
  if (first < count) largest = larger(largest, load_rest(in + first, count - first, in[0]));
  return reduce(largest, larger);
}

/// out = e^(in - largest); returns the sum.
inline float exponentials(const float* in, float* out, std::int64_t count, float largest) {
  Block sum = {};
  std::int64_t first = 0;
  for (; first + kBlock <= count; first += kBlock) {
    const Block block = exp_of_negative(load(in + first) - largest);
    sum += block;
    store(block, out + first);
  }
  if (first < count) {
    const Block block = exp_of_negative(load_rest(in + first, count - first, -__builtin_inff()) - largest);
    sum += block;
    store_rest(block, out + first, count - first);
  }
  return reduce(sum, sum_of);
}

}  // namespace

double softmax_cross_entropy(const float* __restrict logits, const std::int32_t* labels, float* __restrict p,
                             RowShape shape) {
  double loss = 0;
  for (std::int64_t row = 0; row < shape.rows; ++row) {
    const float* in = logits + row * shape.columns;
    float* out = p + row * shape.columns;
    const float largest = largest_of(in, shape.columns);
    const float sum = exponentials(in, out, shape.columns, largest);
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
