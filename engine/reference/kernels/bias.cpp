#include <algorithm>
#include <vector>

#include "engine/reference/kernels/kernels.h"
#include "engine/reference/kernels/typed_kernel.h"

namespace dtbench::reference {

std::unique_ptr<Kernel> make_bias(const KernelRequest& request) {
  return storage_kernel(request, [&]<class Real>(Real) {
    return [x = input<Real>(request, 0), b = input<Real>(request, 1), y = output<Real>(request, 0)] {
      for (std::size_t i = 0; i < y.size(); ++i) y[i] = x[i] + b[i % b.size()];
    };
  });
}

std::unique_ptr<Kernel> make_bias_grad(const KernelRequest& request) {
  return storage_kernel(request, [&]<class Real>(Real) {
    return [dy = input<Real>(request, 0), db = output<Real>(request, 0)] {
      std::vector<Wide<Real>> sums(db.size());
      for (std::size_t i = 0; i < dy.size(); ++i) sums[i % db.size()] += dy[i];
      std::ranges::copy(sums, db.begin());
    };
  });
}

}  // namespace dtbench::reference
