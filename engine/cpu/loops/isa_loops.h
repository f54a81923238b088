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

double softmax_cross_entropy(const float* logits, const std::int32_t* labels, float* p, RowShape shape);
void softmax_cross_entropy_grad(const float* p, const std::int32_t* labels, float* dlogits, RowShape shape,
                                float scale);
void sgd_momentum(float* param, const float* grad, float* velocity, std::int64_t count, float momentum,
                  float learning_rate);
double multiply_add(std::int64_t rounds, float* sink);
void triad(const float* b, const float* c, float* a, std::int64_t count);

}  // namespace dtbench::DTBENCH_ISA
