// The vectorised loops: plain functions on pieces of arrays, compiled once per instruction set level and chosen at run
// time. They know neither threads nor tensors; the kernels cut the work into pieces (engine/cpu/core_team.h).
#pragma once

#include <cstdint>

#include "engine/cpu/isa.h"
#include "engine/runtime/dropout_mask.h"
#include "engine/runtime/low_precision.h"

namespace dtbench {

struct RowShape {
  std::int64_t rows = 0, columns = 0;
};

/// Which elements of one example to keep, from its `first_element` on, and what to multiply them by.
struct DropoutMask {
  DropoutKey key;
  std::uint32_t first_element = 0, threshold = 0;
  float scale = 1;
};

template <class T>
struct LayerNormRows {
  const T* x;
  const float *gamma, *beta;
  T* y;
  float *mean, *inverse_deviation;
};

/// dgamma and dbeta are added to.
template <class T>
struct LayerNormGradRows {
  const T *dy, *x;
  const float *gamma, *mean, *inverse_deviation;
  T* dx;
  float *dgamma, *dbeta;
};

/// Rows `first` to `first` + `count` of one head's square of scores.
struct AttentionRows {
  std::int64_t first = 0, count = 0, columns = 0;
  float scale = 1;  ///< of the scores before softmax
  bool causal = false;
};

/// A window that slides over images [.., height, width, channels].
struct WindowShape {
  std::int64_t height = 0, width = 0, channels = 0, out_height = 0, out_width = 0;
  std::int64_t window_height = 1, window_width = 1, stride = 1, padding = 0;
};

/// What normalisation does to each channel of a row; arrays of `RowShape::columns`.
struct ChannelScales {
  const float *shift = nullptr, *scale = nullptr, *offset = nullptr;
};

struct MomentumRates {
  float momentum = 0, learning_rate = 0;
  float gradient_factor = 1;  ///< 1 / loss scale
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

  void (*gelu)(const T* x, T* y, std::int64_t count);
  void (*gelu_grad)(const T* dy, const T* x, T* dx, std::int64_t count);
  void (*gelu_tanh)(const T* x, T* y, std::int64_t count);
  void (*gelu_tanh_grad)(const T* dy, const T* x, T* dx, std::int64_t count);
  void (*tanh)(const T* x, T* y, std::int64_t count);
  void (*tanh_grad)(const T* dy, const T* y, T* dx, std::int64_t count);
  void (*dropout)(const T* x, T* y, std::int64_t count, const DropoutMask& mask);
  void (*layer_norm)(const LayerNormRows<T>& rows, RowShape shape, float epsilon);
  void (*layer_norm_grad)(const LayerNormGradRows<T>& rows, RowShape shape);
  /// Overwrites the scores, which may lie where p does; p is 0 beyond the row's own position where causal.
  void (*attention_softmax)(float* scores, T* p, const AttentionRows& rows);
  /// ds = scale p (dp - sum of dp p); ds may lie where dp does.
  void (*attention_softmax_grad)(const T* p, const float* dp, T* ds, const AttentionRows& rows);
  /// The sum of `count` chosen rows, in their order; 0 of none.
  void (*sum_rows)(const T* rows, const std::int32_t* chosen, std::int64_t count, T* sum, std::int64_t columns);
  /// Adds the sums over the rows of x, and of its squares, to sums[0..columns) and sums[columns..2 columns).
  void (*moments)(const T* x, double* sums, RowShape shape);
  /// The same of dy, and of dy times x - mean.
  void (*gradient_moments)(const T* dy, const T* x, const float* mean, double* sums, RowShape shape);
  /// y = (x - shift) * scale + offset
  void (*normalise)(const T* x, T* y, RowShape shape, const ChannelScales& channels);
  /// dx = scale * dy - of_x * (x - shift) - offset
  void (*normalise_grad)(const T* dy, const T* x, T* dx, RowShape shape, const ChannelScales& channels,
                         const float* of_x);
  /// Rows [first, last) of the outputs of all images, out_height of them an image.
  void (*max_pool)(const T* x, T* y, const WindowShape& shape, std::int64_t first, std::int64_t last);
  void (*average_pool)(const T* x, T* y, const WindowShape& shape, std::int64_t first, std::int64_t last);
  /// Adds the gradient of one image to dx.
  void (*max_pool_grad)(const T* x, const T* dy, float* dx, const WindowShape& shape);
  void (*average_pool_grad)(const T* dy, float* dx, const WindowShape& shape);
};

/// Arrays of one call do not overlap, but where it is said. The mathematics stands in engine/plan/ops/README.md. Every
/// level gives the same bits: sums go in one order and no multiply and add is fused.
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
  void (*sgd_momentum)(float* param, const float* grad, float* velocity, std::int64_t count, MomentumRates rates);
  bool (*all_finite)(const float* x, std::int64_t count);

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
