#include "engine/reference/kernels/kernels.h"
#include "engine/reference/kernels/typed_kernel.h"

namespace dtbench::reference {

std::unique_ptr<Kernel> make_cast(const KernelRequest& request) {
  return visit_dtype<float, double, Bfloat16, Float16>(
      request.inputs.at(0).dtype, request.op.name, [&]<class From>(From) {
        return storage_kernel(request, [&]<class To>(To) {
          return [x = input<From>(request, 0), y = output<To>(request, 0)] {
            for (std::size_t i = 0; i < y.size(); ++i) y[i] = static_cast<To>(static_cast<Wide<To>>(x[i]));
          };
        });
      });
}

}  // namespace dtbench::reference
