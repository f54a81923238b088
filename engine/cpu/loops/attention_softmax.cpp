#include "engine/cpu/loops/exponential.h"
#include "engine/cpu/loops/isa_loops.h"
#include "engine/cpu/loops/row_sums.h"

namespace dtbench::DTBENCH_ISA {

namespace {

float largest_score(const float* __restrict scores, std::int64_t columns) {
  Lanes largest(scores[0]);
  for_lanes(
      columns, [&](std::int64_t j, std::int64_t lane) __attribute__((always_inline)) {
        largest.value[lane] = scores[j] > largest.value[lane] ? scores[j] : largest.value[lane];
      });
  return largest.largest();
}

/// scores = 2^(scale (scores - largest)); returns their sum.
float exponentials_of_scores(float* __restrict scores, std::int64_t columns, float largest, float scale) {
  Lanes sum;
  for_lanes(
      columns, [&](std::int64_t j, std::int64_t lane) __attribute__((always_inline)) {
        const float e = exp2_of_negative_element(scale * (scores[j] - largest));
        scores[j] = e;
        sum.value[lane] += e;
      });
  return sum.sum();
}

/// Columns to work on for a row that sees `seen`: whole sets of lanes, what is beyond it hidden by the least score.
std::int64_t hide_future(float* __restrict scores, std::int64_t seen, std::int64_t columns) {
  const std::int64_t whole = (seen + kLanes - 1) / kLanes * kLanes;
  const std::int64_t width = whole < columns ? whole : columns;
  for (std::int64_t j = seen; j < width; ++j) scores[j] = -__builtin_inff();
  return width;
}

}  // namespace

template <class T>
void AttentionSoftmax<T>::forward(float* scores, T* p, const AttentionRows& rows) {
  constexpr float kLog2E = 1.44269504F;
  for (std::int64_t i = 0; i < rows.count; ++i) {
    const std::int64_t seen = rows.causal ? rows.first + i + 1 : rows.columns;
    float* row = scores + i * rows.columns;
    T* out = p + i * rows.columns;
    const std::int64_t width = hide_future(row, seen, rows.columns);
    const float largest = largest_score(row, width);
    const float inverse = 1.0F / exponentials_of_scores(row, width, largest, kLog2E * rows.scale);
    for (std::int64_t j = 0; j < width; ++j) out[j] = row[j] * inverse;
    for (std::int64_t j = seen; j < rows.columns; ++j) out[j] = 0.0F;
  }
}

template <class T>
void AttentionSoftmax<T>::backward(const T* p, const float* dp, T* ds, const AttentionRows& rows) {
  for (std::int64_t i = 0; i < rows.count; ++i) {
    const T* row_p = p + i * rows.columns;
    const float* row_dp = dp + i * rows.columns;
    T* row_ds = ds + i * rows.columns;
    Lanes sum;
    for_lanes(
        rows.columns, [&](std::int64_t j, std::int64_t lane)
                          __attribute__((always_inline)) { sum.value[lane] += row_p[j] * row_dp[j]; });
    const float weighted = sum.sum();
    for (std::int64_t j = 0; j < rows.columns; ++j) row_ds[j] = rows.scale * row_p[j] * (row_dp[j] - weighted);
  }
}

template struct AttentionSoftmax<float>;
template struct AttentionSoftmax<Bfloat16>;
template struct AttentionSoftmax<Float16>;

}  // namespace dtbench::DTBENCH_ISA
