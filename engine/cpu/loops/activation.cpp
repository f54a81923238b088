#include "engine/cpu/loops/exponential.h"
#include "engine/cpu/loops/isa_loops.h"

namespace dtbench::DTBENCH_ISA {

namespace {

// The normal distribution function and its density. The tail of the former is polynomial x density (Abramowitz, Stegun
// 1964, 7.1.26: absolute error below 1.5e-7 in erf).
struct Normal {
  float below, density;
};

[[gnu::always_inline]] inline Normal normal_at(float x) {
  constexpr float kInverseSqrt2 = 0.707106781F, kInverseSqrt2Pi = 0.398942280F;
  const float e = exp_of_negative_element(-0.5F * x * x);
  const float t = 1.0F / (1.0F + 0.3275911F * kInverseSqrt2 * magnitude_of(x));
  float p = 1.061405429F;
  p = p * t - 1.453152027F;
  p = p * t + 1.421413741F;
  p = p * t - 0.284496736F;
  p = p * t + 0.254829592F;
  const float tail = 0.5F * p * t * e;
  return {x < 0 ? tail : 1.0F - tail, kInverseSqrt2Pi * e};
}

// The tanh form is x times the logistic function of 2u, u = sqrt(2 / pi) (x + 0.044715 x^3).
constexpr float kTwoFactors = 2 * 0.797884561F, kCubic = 0.044715F;

struct Logistic {
  float value, slope;
};

[[gnu::always_inline]] inline Logistic logistic_at(float x) {
  const float e = exp_of_negative_element(-magnitude_of(x));
  const float inverse = 1.0F / (1.0F + e);
  return {x < 0 ? e * inverse : inverse, e * inverse * inverse};
}

[[gnu::always_inline]] inline float tanh_form_argument(float x) { return kTwoFactors * (x + kCubic * x * x * x); }

// Near 0 a polynomial keeps the relative error small (coefficients of Cephes, tanhf).
[[gnu::always_inline]] inline float tanh_element(float x) {
  const float size = magnitude_of(x), z = x * x;
  const float e = exp_of_negative_element(-2.0F * size);
  float p = -5.70498872745e-3F;
  p = p * z + 2.06390887954e-2F;
  p = p * z - 5.37397155531e-2F;
  p = p * z + 1.33314422036e-1F;
  p = p * z - 3.33332819422e-1F;
  const float near = size + size * z * p;
  const float far = (1.0F - e) / (1.0F + e);
  return with_sign_of(size < 0.625F ? near : far, x);
}

}  // namespace

template <class T>
void Activation<T>::gelu(const T* __restrict x, T* __restrict y, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const float value = x[i];
    y[i] = value * normal_at(value).below;
  }
}

template <class T>
void Activation<T>::gelu_grad(const T* __restrict dy, const T* __restrict x, T* __restrict dx, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const float value = x[i];
    const Normal normal = normal_at(value);
    dx[i] = dy[i] * (normal.below + value * normal.density);
  }
}

template <class T>
void Activation<T>::gelu_tanh(const T* __restrict x, T* __restrict y, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const float value = x[i];
    y[i] = value * logistic_at(tanh_form_argument(value)).value;
  }
}

template <class T>
void Activation<T>::gelu_tanh_grad(const T* __restrict dy, const T* __restrict x, T* __restrict dx,
                                   std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const float value = x[i];
    const Logistic logistic = logistic_at(tanh_form_argument(value));
    const float slope = kTwoFactors * (1.0F + 3.0F * kCubic * value * value);
    dx[i] = dy[i] * (logistic.value + value * logistic.slope * slope);
  }
}

template <class T>
void Activation<T>::tanh(const T* __restrict x, T* __restrict y, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) y[i] = tanh_element(x[i]);
}

template <class T>
void Activation<T>::tanh_grad(const T* __restrict dy, const T* __restrict y, T* __restrict dx, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const float value = y[i];
    dx[i] = dy[i] * (1.0F - value * value);
  }
}

template <class T>
void Activation<T>::dropout(const T* __restrict x, T* __restrict y, std::int64_t count, const DropoutMask& mask) {
  const DropoutKey key = mask.key;
  const std::uint32_t first = mask.first_element, threshold = mask.threshold;
  const float scale = mask.scale;
  for (std::int64_t i = 0; i < count; ++i) {
    const bool keep = dropout_bits(key, first + static_cast<std::uint32_t>(i)) >= threshold;
    y[i] = keep ? x[i] * scale : 0.0F;
  }
}

template struct Activation<float>;
template struct Activation<Bfloat16>;
template struct Activation<Float16>;

}  // namespace dtbench::DTBENCH_ISA
