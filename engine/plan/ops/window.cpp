#include "engine/plan/ops/window.h"

#include <cmath>

namespace dtbench {

namespace {

// Far beyond any image, and small enough that sums of a few of them cannot overflow.
constexpr double kLargest = 1 << 30;

std::int64_t checked_whole(const OpInputs& in, double value, std::int64_t least) {
  in.require(std::floor(value) == value && value >= static_cast<double>(least) && value <= kLargest);
  return static_cast<std::int64_t>(value);
}

double attribute_or(const GraphOp& op, const std::string& name, double otherwise) {
  const auto found = op.attributes.find(name);
  return found == op.attributes.end() ? otherwise : found->second;
}

}  // namespace

std::int64_t whole(const Attributes& attributes, const std::string& name, std::int64_t otherwise) {
  const auto found = attributes.find(name);
  return found == attributes.end() ? otherwise : static_cast<std::int64_t>(found->second);
}

std::int64_t required_whole(const OpInputs& in, const std::string& name, std::int64_t least) {
  return checked_whole(in, in.attribute(name), least);
}

Window window_of(const OpInputs& in, const GraphOp& op, std::int64_t height, std::int64_t width) {
  return {height, width, checked_whole(in, attribute_or(op, "stride", 1), 1),
          checked_whole(in, attribute_or(op, "padding", 0), 0)};
}

Window pooling_window_of(const OpInputs& in, const GraphOp& op) {
  const std::int64_t size = required_whole(in, "window", 1);
  const Window window = window_of(in, op, size, size);
  in.require(window.padding < size);
  return window;
}

Shape window_output(const OpInputs& in, const Shape& x, const Window& window, std::int64_t channels) {
  const std::int64_t rows = window.positions(x[1], window.height), columns = window.positions(x[2], window.width);
  in.require(rows >= 1 && columns >= 1);
  return {x[0], rows, columns, channels};
}

double elements_under_windows(const Tensor& y, const Attributes& attributes) {
  const auto size = static_cast<double>(whole(attributes, "window", 1));
  return static_cast<double>(y.elements()) * size * size;
}

Attributes image_extent(const Tensor& x) {
  return {{"height", static_cast<double>(x.shape[1])}, {"width", static_cast<double>(x.shape[2])}};
}

}  // namespace dtbench
