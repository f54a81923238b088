// Windows that slide over images [B,H,W,C]: what convolution and pooling share.
#pragma once

#include "engine/plan/op_inputs.h"

namespace dtbench {

/// Square in stride and padding; padding stands on both sides of both axes.
struct Window {
  std::int64_t height = 1, width = 1, stride = 1, padding = 0;
  /// Positions along an axis of `extent` for a window of `size`; below 1 when the window does not fit.
  std::int64_t positions(std::int64_t extent, std::int64_t size) const {
    const std::int64_t room = extent + 2 * padding - size;
    return room < 0 ? 0 : room / stride + 1;
  }
};

/// Whole-numbered attribute, `otherwise` when the op has none. Kernels trust the shape rule to have checked it.
std::int64_t whole(const Attributes& attributes, const std::string& name, std::int64_t otherwise);

/// Attributes "stride" (1 when absent) and "padding" (0); bad-input error unless whole, stride >= 1, padding >= 0.
Window window_of(const OpInputs& in, const GraphOp& op, std::int64_t height, std::int64_t width);
/// As above, with attribute "window" for both sizes. Padding is less than the window: no position lies all outside.
Window pooling_window_of(const OpInputs& in, const GraphOp& op);
/// Whole-numbered attribute of at least `least` that the op cannot do without.
std::int64_t required_whole(const OpInputs& in, const std::string& name, std::int64_t least);

/// Elements under all windows of y[B,Ho,Wo,C]: pooling does one FLOP for each.
double elements_under_windows(const Tensor& y, const Attributes& attributes);
/// Attributes "height" and "width" of x[B,H,W,C], which the gradient of a smaller tensor needs.
Attributes image_extent(const Tensor& x);

/// [B,Ho,Wo,channels] of a window over x[B,H,W,C]; bad-input error when it fits nowhere.
Shape window_output(const OpInputs& in, const Shape& x, const Window& window, std::int64_t channels);

}  // namespace dtbench
