#include "engine/cpu/loops/isa_loops.h"
#include "engine/cpu/loops/row_sums.h"

namespace dtbench::DTBENCH_ISA {

namespace {

template <class T>
float mean_of(const T* __restrict x, std::int64_t columns) {
  Lanes sum;
  for_lanes(
      columns, [&](std::int64_t j, std::int64_t lane) __attribute__((always_inline)) { sum.value[lane] += x[j]; });
  return sum.sum() / static_cast<float>(columns);
}

template <class T>
float variance_of(const T* __restrict x, std::int64_t columns, float mean) {
  Lanes sum;
  for_lanes(
      columns, [&](std::int64_t j, std::int64_t lane) __attribute__((always_inline)) {
        const float distance = x[j] - mean;
        sum.value[lane] += distance * distance;
      });
  return sum.sum() / static_cast<float>(columns);
}

}  // namespace

template <class T>
void Normalisation<T>::layer_norm(const LayerNormRows<T>& rows, RowShape shape, float epsilon) {
  for (std::int64_t row = 0; row < shape.rows; ++row) {
    const T* __restrict x = rows.x + row * shape.columns;
    const float* __restrict gamma = rows.gamma, * __restrict beta = rows.beta;
    T* __restrict y = rows.y + row * shape.columns;
    const float mean = mean_of(x, shape.columns);
    const float inverse = 1.0F / __builtin_sqrtf(variance_of(x, shape.columns, mean) + epsilon);
    for (std::int64_t j = 0; j < shape.columns; ++j) y[j] = (x[j] - mean) * inverse * gamma[j] + beta[j];
    rows.mean[row] = mean;
    rows.inverse_deviation[row] = inverse;
  }
}

template <class T>
void Normalisation<T>::layer_norm_grad(const LayerNormGradRows<T>& rows, RowShape shape) {
  const float columns = static_cast<float>(shape.columns);
  for (std::int64_t row = 0; row < shape.rows; ++row) {
    const T* __restrict dy = rows.dy + row * shape.columns, * __restrict x = rows.x + row * shape.columns;
    const float* __restrict gamma = rows.gamma;
    T* __restrict dx = rows.dx + row * shape.columns;
    float* __restrict dgamma = rows.dgamma, * __restrict dbeta = rows.dbeta;
    const float mean = rows.mean[row], inverse = rows.inverse_deviation[row];
    Lanes sum, sum_normal;
    for_lanes(
        shape.columns, [&](std::int64_t j, std::int64_t lane) __attribute__((always_inline)) {
          const float change = dy[j], normal = (x[j] - mean) * inverse, g = change * gamma[j];
          sum.value[lane] += g;
          sum_normal.value[lane] += g * normal;
          dgamma[j] += change * normal;
          dbeta[j] += change;
        });
    const float mean_g = sum.sum() / columns, mean_gn = sum_normal.sum() / columns;
    for (std::int64_t j = 0; j < shape.columns; ++j)
      dx[j] = inverse * (dy[j] * gamma[j] - mean_g - (x[j] - mean) * inverse * mean_gn);
  }
}

template struct Normalisation<float>;
template struct Normalisation<Bfloat16>;
template struct Normalisation<Float16>;

}  // namespace dtbench::DTBENCH_ISA
