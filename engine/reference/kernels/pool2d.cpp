// The poolings and their gradients: each is a walk over windows.
#include <algorithm>
#include <vector>

#include "engine/plan/ops/image_shape.h"
#include "engine/reference/kernels/kernels.h"
#include "engine/reference/kernels/typed_kernel.h"

namespace dtbench::reference {

namespace {

/// Calls `use(element of x)` for the elements of x in the window of element `y` of y, row by row.
template <class Use>
void for_each_in_window(const ImageShape& s, std::size_t y, const Use& use) {
  const auto element = static_cast<std::int64_t>(y);
  const std::int64_t channel = element % s.channels, pixel = element / s.channels;
  const std::int64_t top = pixel / s.out_width % s.out_height * s.stride - s.padding;
  const std::int64_t left = pixel % s.out_width * s.stride - s.padding;
  const std::int64_t image = pixel / (s.out_height * s.out_width);
  for (std::int64_t row = std::max<std::int64_t>(top, 0); row < std::min(top + s.window_height, s.height); ++row)
    for (std::int64_t column = std::max<std::int64_t>(left, 0); column < std::min(left + s.window_width, s.width);
         ++column)
      use(static_cast<std::size_t>(((image * s.height + row) * s.width + column) * s.channels + channel));
}

/// The first of the largest; a NaN is larger than everything.
template <class Real>
std::size_t largest_in_window(const ImageShape& shape, std::size_t y, std::span<const Real> x) {
  std::size_t best = x.size();
  for_each_in_window(shape, y, [&](std::size_t i) {
    if (best == x.size() || x[i] > x[best] || (x[i] != x[i] && x[best] == x[best])) best = i;
  });
  return best;
}

template <class Real>
void store(const std::vector<Wide<Real>>& sums, std::span<Real> target) {
  for (std::size_t i = 0; i < target.size(); ++i) target[i] = sums[i];
}

template <class Real>
auto average_pool(const KernelRequest& request, const ImageShape& shape) {
  return [x = input<Real>(request, 0), y = output<Real>(request, 0), shape] {
    const auto taps = static_cast<Wide<Real>>(shape.window_height * shape.window_width);
    for (std::size_t j = 0; j < y.size(); ++j) {
      Wide<Real> sum = 0;
      for_each_in_window(shape, j, [&](std::size_t i) { sum += x[i]; });
      y[j] = sum / taps;
    }
  };
}

template <class Real>
auto average_pool_grad(const KernelRequest& request, const ImageShape& shape) {
  const std::span<Real> dx = output<Real>(request, 0);
  return [dy = input<Real>(request, 0), dx, shape, sums = std::vector<Wide<Real>>(dx.size())]() mutable {
    const auto taps = static_cast<Wide<Real>>(shape.window_height * shape.window_width);
    std::ranges::fill(sums, Wide<Real>(0));
    for (std::size_t j = 0; j < dy.size(); ++j)
      for_each_in_window(shape, j, [&](std::size_t i) { sums[i] += dy[j] / taps; });
    store(sums, dx);
  };
}

/// The whole image as one window.
ImageShape global_window(const Buffer& image) {
  ImageShape shape;
  shape.batch = image.shape.at(0);
  shape.height = shape.window_height = image.shape.at(1);
  shape.width = shape.window_width = image.shape.at(2);
  shape.channels = shape.filters = image.shape.at(3);
  shape.out_height = shape.out_width = 1;
  return shape;
}

std::unique_ptr<Kernel> make_average(const KernelRequest& request, const ImageShape& shape) {
  return storage_kernel(request, [&]<class Real>(Real) { return average_pool<Real>(request, shape); });
}

std::unique_ptr<Kernel> make_average_grad(const KernelRequest& request, const ImageShape& shape) {
  return storage_kernel(request, [&]<class Real>(Real) { return average_pool_grad<Real>(request, shape); });
}

}  // namespace

std::unique_ptr<Kernel> make_max_pool2d(const KernelRequest& request) {
  const ImageShape shape =
      pooling_shape(request.inputs.at(0).shape, request.outputs.at(0).shape, request.op.attributes);
  return storage_kernel(request, [&]<class Real>(Real) {
    return [x = input<Real>(request, 0), y = output<Real>(request, 0), shape] {
      for (std::size_t j = 0; j < y.size(); ++j) y[j] = x[largest_in_window(shape, j, x)];
    };
  });
}

std::unique_ptr<Kernel> make_max_pool2d_grad(const KernelRequest& request) {
  const ImageShape shape = pooling_shape(request.inputs.at(0).shape, request.inputs.at(1).shape, request.op.attributes);
  return storage_kernel(request, [&]<class Real>(Real) {
    const std::span<Real> dx = output<Real>(request, 0);
    return [x = input<Real>(request, 0), dy = input<Real>(request, 1), dx, shape,
            sums = std::vector<Wide<Real>>(dx.size())]() mutable {
      std::ranges::fill(sums, Wide<Real>(0));
      for (std::size_t j = 0; j < dy.size(); ++j) sums[largest_in_window(shape, j, x)] += dy[j];
      store(sums, dx);
    };
  });
}

std::unique_ptr<Kernel> make_average_pool2d(const KernelRequest& request) {
  return make_average(request,
                      pooling_shape(request.inputs.at(0).shape, request.outputs.at(0).shape, request.op.attributes));
}

std::unique_ptr<Kernel> make_average_pool2d_grad(const KernelRequest& request) {
  return make_average_grad(
      request, pooling_shape(request.outputs.at(0).shape, request.inputs.at(0).shape, request.op.attributes));
}

std::unique_ptr<Kernel> make_global_average_pool(const KernelRequest& request) {
  return make_average(request, global_window(request.inputs.at(0)));
}

std::unique_ptr<Kernel> make_global_average_pool_grad(const KernelRequest& request) {
  return make_average_grad(request, global_window(request.outputs.at(0)));
}

}  // namespace dtbench::reference
