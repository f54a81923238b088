#include "engine/reference/kernels/kernels.h"
#include "engine/reference/kernels/typed_kernel.h"

namespace dtbench::reference {

std::unique_ptr<Kernel> make_add(const KernelRequest& request) {
  return storage_kernel(request, [&]<class Real>(Real) {
    return [a = input<Real>(request, 0), b = input<Real>(request, 1), y = output<Real>(request, 0)] {
      for (std::size_t i = 0; i < y.size(); ++i) y[i] = a[i] + b[i];
    };
  });
}

}  // namespace dtbench::reference
