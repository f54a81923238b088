// Declarations of one level's loops, in a namespace named by the build (DTBENCH_ISA). Files that include this header
// are compiled with that level's flags, so they use no inline function of any library: the linker could keep that copy
// for code that runs on lesser processors.
#pragma once

#include "engine/cpu/loops/loops.h"

namespace dtbench::DTBENCH_ISA {

// Templates over the storage type; each file instantiates its own for float, Bfloat16 and Float16.
template <class T>
struct Elementwise {
  static void add(const T* a, const T* b, T* y, std::int64_t count);
  static void relu(const T* x, T* y, std::int64_t count);
  static void relu_grad(const T* y, const T* dy, T* dx, std::int64_t count);
  static void to_float(const T* x, float* y, std::int64_t count);
  static void from_float(const float* x, T* y, std::int64_t count);
};
template <class T>
struct Bias {
  static void add(const T* x, const T* b, T* y, RowShape shape);
  static void gradient(const T* dy, T* db, RowShape shape, std::int64_t first, std::int64_t last);
};
template <class T>
struct Activation {
  static void gelu(const T* x, T* y, std::int64_t count);
  static void gelu_grad(const T* dy, const T* x, T* dx, std::int64_t count);
  static void gelu_tanh(const T* x, T* y, std::int64_t count);
  static void gelu_tanh_grad(const T* dy, const T* x, T* dx, std::int64_t count);
  static void tanh(const T* x, T* y, std::int64_t count);
  static void tanh_grad(const T* dy, const T* y, T* dx, std::int64_t count);
  static void dropout(const T* x, T* y, std::int64_t count, const DropoutMask& mask);
};
template <class T>
struct Normalisation {
  static void layer_norm(const LayerNormRows<T>& rows, RowShape shape, float epsilon);
  static void layer_norm_grad(const LayerNormGradRows<T>& rows, RowShape shape);
};
template <class T>
struct AttentionSoftmax {
  static void forward(float* scores, T* p, const AttentionRows& rows);
  static void backward(const T* p, const float* dp, T* ds, const AttentionRows& rows);
};
template <class T>
struct ChosenRows {
  static void sum(const T* rows, const std::int32_t* chosen, std::int64_t count, T* out, std::int64_t columns);
};

template <class T>
struct BatchNorm {
  static void moments(const T* x, double* sums, RowShape shape);
  static void gradient_moments(const T* dy, const T* x, const float* mean, double* sums, RowShape shape);
  static void normalise(const T* x, T* y, RowShape shape, const ChannelScales& channels);
  static void gradient(const T* dy, const T* x, T* dx, RowShape shape, const ChannelScales& channels,
                       const float* of_x);
};
template <class T>
struct Pooling {
  static void largest(const T* x, T* y, const WindowShape& shape, std::int64_t first, std::int64_t last);
  static void average(const T* x, T* y, const WindowShape& shape, std::int64_t first, std::int64_t last);
  static void largest_gradient(const T* x, const T* dy, float* dx, const WindowShape& shape);
  static void average_gradient(const T* dy, float* dx, const WindowShape& shape);
};

double softmax_cross_entropy(const float* logits, const std::int32_t* labels, float* p, RowShape shape);
void softmax_cross_entropy_grad(const float* p, const std::int32_t* labels, float* dlogits, RowShape shape,
                                float scale);
void sgd_momentum(float* param, const float* grad, float* velocity, std::int64_t count, MomentumRates rates);
bool all_finite(const float* x, std::int64_t count);
double multiply_add(std::int64_t rounds, float* sink);
void triad(const float* b, const float* c, float* a, std::int64_t count);

}  // namespace dtbench::DTBENCH_ISA
