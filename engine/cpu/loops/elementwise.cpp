#include "engine/cpu/loops/isa_loops.h"

namespace dtbench::DTBENCH_ISA {

template <class T>
void Elementwise<T>::add(const T* __restrict a, const T* __restrict b, T* __restrict y, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) y[i] = a[i] + b[i];
}

template <class T>
void Elementwise<T>::relu(const T* __restrict x, T* __restrict y, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) y[i] = x[i] < 0 ? 0.0F : static_cast<float>(x[i]);
}

template <class T>
void Elementwise<T>::relu_grad(const T* __restrict y, const T* __restrict dy, T* __restrict dx, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) dx[i] = y[i] > 0 ? static_cast<float>(dy[i]) : 0.0F;
}

template <class T>
void Elementwise<T>::to_float(const T* __restrict x, float* __restrict y, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) y[i] = x[i];
}

template <class T>
void Elementwise<T>::from_float(const float* __restrict x, T* __restrict y, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) y[i] = x[i];
}

template struct Elementwise<float>;
template struct Elementwise<Bfloat16>;
template struct Elementwise<Float16>;

}  // namespace dtbench::DTBENCH_ISA
