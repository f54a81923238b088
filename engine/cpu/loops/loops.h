// The vectorised loops: plain functions on pieces of arrays, compiled once per instruction set level and chosen at run
// time. They know neither threads nor tensors; the kernels cut the work into pieces (engine/cpu/core_team.h).
#pragma once

#include <cstdint>

#include "engine/cpu/isa.h"
#include "engine/runtime/low_precision.h"

namespace dtbench {

struct RowShape {
  std::int64_t rows = 0, columns = 0;
};

/// Loops over arrays stored as T (float, Bfloat16, Float16) and computed in float.
template <class T>
struct StorageLoops {
  void (*add)(const T* a, const T* b, T* y, std::int64_t count);
  void (*relu)(const T* x, T* y, std::int64_t count);
  void (*relu_grad)(const T* y, const T* dy, T* dx, std::int64_t count);
  void (*bias)(const T* x, const T* b, T* y, RowShape shape);
  /// Sums columns [first, last) of dy over the rows.
  void (*bias_grad)(const T* dy, T* db, RowShape shape, std::int64_t first, std::int64_t last);
  void (*to_float)(const T* x, float* y, std::int64_t count);
  void (*from_float)(const float* x, T* y, std::int64_t count);  ///< to nearest even
};

/// Arrays of one call do not overlap. The mathematics stands in engine/plan/ops/README.md. Every level gives the same
/// bits: sums go in one order and no multiply and add is fused.
struct Loops {
  StorageLoops<float> float32;
  StorageLoops<Bfloat16> bfloat16;
  StorageLoops<Float16> float16;
  template <class T>
  const StorageLoops<T>& of() const;

  /// Returns the sum of the losses of the rows, not scaled.
  double (*softmax_cross_entropy)(const float* logits, const std::int32_t* labels, float* p, RowShape shape);
  void (*softmax_cross_entropy_grad)(const float* p, const std::int32_t* labels, float* dlogits, RowShape shape,
                                     float scale);
  void (*sgd_momentum)(float* param, const float* grad, float* velocity, std::int64_t count, float momentum,
                       float learning_rate);

  // What peak.h measures.
  /// Independent chains of multiply-adds, as many as hide their latency; returns the floating point operations done.
  /// `sink` gets a value that depends on all of them.
  double (*multiply_add)(std::int64_t rounds, float* sink);
  void (*triad)(const float* b, const float* c, float* a, std::int64_t count);
};

template <>
inline const StorageLoops<float>& Loops::of<float>() const {
  return float32;
}
template <>
inline const StorageLoops<Bfloat16>& Loops::of<Bfloat16>() const {
  return bfloat16;
}
template <>
inline const StorageLoops<Float16>& Loops::of<Float16>() const {
  return float16;
}

/// The loops of a level; nullptr when it is not available here.
const Loops* loops_of(Isa isa);

/// Those of the widest level.
const Loops& loops();

}  // namespace dtbench
