// Declarations of one level's loops, in a namespace named by the build (DTBENCH_ISA). Files that include this header
// are compiled with that level's flags, so they use no inline function of any library: the linker could keep that copy
// for code that runs on lesser processors.
#pragma once

#include "engine/cpu/loops/loops.h"

namespace dtbench::DTBENCH_ISA {

void add(const float* a, const float* b, float* y, std::int64_t count);
void relu(const float* x, float* y, std::int64_t count);
void relu_grad(const float* y, const float* dy, float* dx, std::int64_t count);
void bias(const float* x, const float* b, float* y, RowShape shape);
void bias_grad(const float* dy, float* db, RowShape shape, std::int64_t first, std::int64_t last);
double softmax_cross_entropy(const float* logits, const std::int32_t* labels, float* p, RowShape shape);
void softmax_cross_entropy_grad(const float* p, const std::int32_t* labels, float* dlogits, RowShape shape,
                                float scale);
void sgd_momentum(float* param, const float* grad, float* velocity, std::int64_t count, float momentum,
                  float learning_rate);
double multiply_add(std::int64_t rounds, float* sink);
void triad(const float* b, const float* c, float* a, std::int64_t count);

}  // namespace dtbench::DTBENCH_ISA
