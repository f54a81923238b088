#include <cmath>

#include "engine/reference/kernels/kernels.h"
#include "engine/reference/kernels/typed_kernel.h"

namespace dtbench::reference {

std::unique_ptr<Kernel> make_tanh(const KernelRequest& request) {
  return storage_kernel(request, [&]<class Real>(Real) {
    return [x = input<Real>(request, 0), y = output<Real>(request, 0)] {
      for (std::size_t i = 0; i < y.size(); ++i) y[i] = std::tanh(Wide<Real>(x[i]));
    };
  });
}

std::unique_ptr<Kernel> make_tanh_grad(const KernelRequest& request) {
  return storage_kernel(request, [&]<class Real>(Real) {
    return [dy = input<Real>(request, 0), y = input<Real>(request, 1), dx = output<Real>(request, 0)] {
      for (std::size_t i = 0; i < dx.size(); ++i) dx[i] = dy[i] * (1 - Wide<Real>(y[i]) * y[i]);
    };
  });
}

}  // namespace dtbench::reference
