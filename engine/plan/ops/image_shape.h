// The sizes of a convolution or a pooling op in one place, for kernels: from shapes that the rule has checked.
#pragma once

#include "engine/plan/graph.h"

namespace dtbench {

struct ImageShape {
  std::int64_t batch = 0, height = 0, width = 0, channels = 0;  ///< of x
  std::int64_t out_height = 0, out_width = 0, filters = 0;      ///< of y; pooling: as many filters as channels
  std::int64_t window_height = 1, window_width = 1, stride = 1, padding = 0, groups = 1;

  std::int64_t x_elements() const { return batch * height * width * channels; }
  std::int64_t y_elements() const { return batch * out_height * out_width * filters; }
  std::int64_t channels_of_group() const { return channels / groups; }
  std::int64_t filters_of_group() const { return filters / groups; }
  std::int64_t w_elements() const { return window_height * window_width * channels_of_group() * filters; }
};

/// x[B,H,W,C], w[KH,KW,C/g,K], y[B,Ho,Wo,K] of a convolution or of one of its gradients.
ImageShape convolution_shape(const Shape& x, const Shape& w, const Shape& y, const Attributes& attributes);
/// x[B,H,W,C], y[B,Ho,Wo,C] of a pooling op or of its gradient.
ImageShape pooling_shape(const Shape& x, const Shape& y, const Attributes& attributes);

}  // namespace dtbench
