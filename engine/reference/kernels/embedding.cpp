#include <vector>

#include "engine/reference/kernels/kernels.h"
#include "engine/reference/kernels/typed_kernel.h"

namespace dtbench::reference {

std::unique_ptr<Kernel> make_embedding(const KernelRequest& request) {
  return storage_kernel(request, [&]<class Real>(Real) {
    return [table = input<Real>(request, 0), ids = labels(request, 1), y = output<Real>(request, 0),
            extent = extent_of(request.inputs.at(0))] {
      for (std::size_t i = 0; i < y.size(); ++i) {
        const std::int32_t id = ids[i / extent.columns];
        const bool inside = id >= 0 && static_cast<std::size_t>(id) < extent.rows;
        y[i] = inside ? table[static_cast<std::size_t>(id) * extent.columns + i % extent.columns] : Real(0);
      }
    };
  });
}

std::unique_ptr<Kernel> make_embedding_grad(const KernelRequest& request) {
  return storage_kernel(request, [&]<class Real>(Real) {
    return [ids = labels(request, 0), dy = input<Real>(request, 1), dtable = output<Real>(request, 0),
            extent = extent_of(request.outputs.at(0))] {
      std::vector<Wide<Real>> sums(dtable.size());
      for (std::size_t i = 0; i < dy.size(); ++i) {
        const std::int32_t id = ids[i / extent.columns];
        const bool inside = id >= 0 && static_cast<std::size_t>(id) < extent.rows;
        if (inside) sums[static_cast<std::size_t>(id) * extent.columns + i % extent.columns] += dy[i];
      }
      for (std::size_t i = 0; i < dtable.size(); ++i) dtable[i] = sums[i];
    };
  });
}

}  // namespace dtbench::reference
