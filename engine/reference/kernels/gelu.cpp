#include <cmath>
#include <numbers>

#include "engine/reference/kernels/kernels.h"
#include "engine/reference/kernels/typed_kernel.h"

namespace dtbench::reference {

namespace {

// The argument of the approximation's tanh and its derivative.
template <class Real>
struct TanhForm {
  static constexpr Real kFactor = std::numbers::sqrt2_v<Real> * std::numbers::inv_sqrtpi_v<Real>;
  static constexpr Real kCubic = Real(0.044715);
  static Real argument(Real x) { return kFactor * (x + kCubic * x * x * x); }
  static Real slope(Real x) { return kFactor * (1 + 3 * kCubic * x * x); }
};

template <class Real>
Real gelu(Real x, bool approximate) {
  if (approximate) return x / 2 * (1 + std::tanh(TanhForm<Real>::argument(x)));
  return x / 2 * std::erfc(-x / std::numbers::sqrt2_v<Real>);
}

template <class Real>
Real gelu_slope(Real x, bool approximate) {
  if (approximate) {
    const Real t = std::tanh(TanhForm<Real>::argument(x));
    return (1 + t) / 2 + x / 2 * (1 - t * t) * TanhForm<Real>::slope(x);
  }
  const Real density = std::exp(-x * x / 2) * std::numbers::inv_sqrtpi_v<Real> / std::numbers::sqrt2_v<Real>;
  return std::erfc(-x / std::numbers::sqrt2_v<Real>) / 2 + x * density;
}

bool is_approximate(const KernelRequest& request) { return request.op.attributes.at("approximate") != 0; }

}  // namespace

std::unique_ptr<Kernel> make_gelu(const KernelRequest& request) {
  return storage_kernel(request, [&]<class Real>(Real) {
    return [x = input<Real>(request, 0), y = output<Real>(request, 0), approximate = is_approximate(request)] {
      for (std::size_t i = 0; i < y.size(); ++i) y[i] = gelu(Wide<Real>(x[i]), approximate);
    };
  });
}

std::unique_ptr<Kernel> make_gelu_grad(const KernelRequest& request) {
  return storage_kernel(request, [&]<class Real>(Real) {
    return [dy = input<Real>(request, 0), x = input<Real>(request, 1), dx = output<Real>(request, 0),
            approximate = is_approximate(request)] {
      for (std::size_t i = 0; i < dx.size(); ++i) dx[i] = dy[i] * gelu_slope(Wide<Real>(x[i]), approximate);
    };
  });
}

}  // namespace dtbench::reference
