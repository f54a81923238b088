#include <algorithm>
#include <vector>

#include "engine/plan/ops/image_shape.h"
#include "engine/reference/kernels/kernels.h"
#include "engine/reference/kernels/typed_kernel.h"

namespace dtbench::reference {

namespace {

/// Elements of x, w and y that meet in one product.
struct ConvProduct {
  std::size_t x = 0, w = 0, y = 0;
};

std::size_t place(std::int64_t index) { return static_cast<std::size_t>(index); }

/// The products of one pixel of y with one pixel of x under one tap of the window: channels of a filter's group.
template <class Use>
void for_each_channel(const ImageShape& s, std::int64_t x_pixel, std::int64_t tap, std::int64_t y_pixel,
                      const Use& use) {
  for (std::int64_t k = 0; k < s.filters; ++k) {
    const std::int64_t first = k / s.filters_of_group() * s.channels_of_group();
    for (std::int64_t c = 0; c < s.channels_of_group(); ++c)
      use(ConvProduct{place(x_pixel * s.channels + first + c), place((tap * s.channels_of_group() + c) * s.filters + k),
                  place(y_pixel * s.filters + k)});
  }
}

/// All products of the convolution; taps outside the image are none.
template <class Use>
void for_each_product(const ImageShape& s, const Use& use) {
  for (std::int64_t y_pixel = 0; y_pixel < s.batch * s.out_height * s.out_width; ++y_pixel) {
    const std::int64_t image = y_pixel / (s.out_height * s.out_width);
    const std::int64_t top = y_pixel / s.out_width % s.out_height * s.stride - s.padding;
    const std::int64_t left = y_pixel % s.out_width * s.stride - s.padding;
    for (std::int64_t tap = 0; tap < s.window_height * s.window_width; ++tap) {
      const std::int64_t row = top + tap / s.window_width, column = left + tap % s.window_width;
      if (row < 0 || row >= s.height || column < 0 || column >= s.width) continue;
      for_each_channel(s, (image * s.height + row) * s.width + column, tap, y_pixel, use);
    }
  }
}

/// outputs[0] = the sum of inputs[0] * inputs[1] over all products; `ConvProduct::*` say where each has its elements.
std::unique_ptr<Kernel> make_sum_of_products(const KernelRequest& request, const ImageShape& shape,
                                             std::size_t ConvProduct::*a, std::size_t ConvProduct::*b,
                                             std::size_t ConvProduct::*target) {
  return storage_kernel(request, [&]<class Real>(Real) {
    const std::span<Real> sums = output<Real>(request, 0);
    return [first = input<Real>(request, 0), second = input<Real>(request, 1), sums, shape, a, b, target,
            wide = std::vector<Wide<Real>>(sums.size())]() mutable {
      std::ranges::fill(wide, Wide<Real>(0));
      for_each_product(shape, [&](const ConvProduct& p) { wide[p.*target] += first[p.*a] * second[p.*b]; });
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = wide[i];
    };
  });
}

}  // namespace

std::unique_ptr<Kernel> make_conv2d(const KernelRequest& request) {
  const ImageShape shape = convolution_shape(request.inputs.at(0).shape, request.inputs.at(1).shape,
                                             request.outputs.at(0).shape, request.op.attributes);
  return make_sum_of_products(request, shape, &ConvProduct::x, &ConvProduct::w, &ConvProduct::y);
}

std::unique_ptr<Kernel> make_conv2d_grad_input(const KernelRequest& request) {
  const ImageShape shape = convolution_shape(request.outputs.at(0).shape, request.inputs.at(1).shape,
                                             request.inputs.at(0).shape, request.op.attributes);
  return make_sum_of_products(request, shape, &ConvProduct::y, &ConvProduct::w, &ConvProduct::x);
}

std::unique_ptr<Kernel> make_conv2d_grad_weight(const KernelRequest& request) {
  const ImageShape shape = convolution_shape(request.inputs.at(0).shape, request.outputs.at(0).shape,
                                             request.inputs.at(1).shape, request.op.attributes);
  return make_sum_of_products(request, shape, &ConvProduct::x, &ConvProduct::y, &ConvProduct::w);
}

}  // namespace dtbench::reference
