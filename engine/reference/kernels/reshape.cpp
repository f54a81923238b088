#include <algorithm>

#include "engine/reference/kernels/kernels.h"
#include "engine/reference/kernels/typed_kernel.h"

namespace dtbench::reference {

std::unique_ptr<Kernel> make_reshape(const KernelRequest& request) {
  return storage_kernel(request, [&]<class Real>(Real) {
    return [x = input<Real>(request, 0), y = output<Real>(request, 0)] { std::ranges::copy(x, y.begin()); };
  });
}

}  // namespace dtbench::reference
