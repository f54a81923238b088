#include "engine/plan/ops/image_shape.h"

#include "engine/plan/ops/window.h"

namespace dtbench {

namespace {

ImageShape image_shape(const Shape& x, const Shape& y, const Attributes& attributes) {
  ImageShape shape;
  shape.batch = x.at(0);
  shape.height = x.at(1);
  shape.width = x.at(2);
  shape.channels = x.at(3);
  shape.out_height = y.at(1);
  shape.out_width = y.at(2);
  shape.filters = y.at(3);
  shape.stride = whole(attributes, "stride", 1);
  shape.padding = whole(attributes, "padding", 0);
  return shape;
}

}  // namespace

ImageShape convolution_shape(const Shape& x, const Shape& w, const Shape& y, const Attributes& attributes) {
  ImageShape shape = image_shape(x, y, attributes);
  shape.window_height = w.at(0);
  shape.window_width = w.at(1);
  shape.groups = whole(attributes, "groups", 1);
  return shape;
}

ImageShape pooling_shape(const Shape& x, const Shape& y, const Attributes& attributes) {
  ImageShape shape = image_shape(x, y, attributes);
  shape.window_height = shape.window_width = whole(attributes, "window", 1);
  return shape;
}

}  // namespace dtbench
