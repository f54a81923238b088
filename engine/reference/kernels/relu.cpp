#include "engine/reference/kernels/kernels.h"
#include "engine/reference/kernels/typed_kernel.h"

namespace dtbench::reference {

std::unique_ptr<Kernel> make_relu(const KernelRequest& request) {
  return storage_kernel(request, [&]<class Real>(Real) {
    return [x = input<Real>(request, 0), y = output<Real>(request, 0)] {
      for (std::size_t i = 0; i < y.size(); ++i) y[i] = x[i] < 0 ? Real(0) : x[i];  // a NaN stays one
    };
  });
}

std::unique_ptr<Kernel> make_relu_grad(const KernelRequest& request) {
  return storage_kernel(request, [&]<class Real>(Real) {
    return [y = input<Real>(request, 0), dy = input<Real>(request, 1), dx = output<Real>(request, 0)] {
      for (std::size_t i = 0; i < dx.size(); ++i) dx[i] = y[i] > 0 ? dy[i] : Real(0);
    };
  });
}

}  // namespace dtbench::reference
