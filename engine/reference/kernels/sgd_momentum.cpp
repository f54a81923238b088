#include "engine/reference/kernels/kernels.h"
#include "engine/reference/kernels/typed_kernel.h"

namespace dtbench::reference {

std::unique_ptr<Kernel> make_sgd_momentum(const KernelRequest& request) {
  DTBENCH_CHECK(request.scalars != nullptr);
  return typed_kernel(request, [&]<class Real>(Real) {
    return [g = input<Real>(request, 1), p = output<Real>(request, 0), v = output<Real>(request, 1),
            scale = optional_input<Real>(request, 3), momentum = static_cast<Real>(request.op.attributes.at("momentum")),
            scalars = request.scalars] {
      const Real factor = scale.empty() ? 1 : 1 / scale[0];
      const Real learning_rate = static_cast<Real>(scalars->learning_rate);
      for (std::size_t i = 0; i < p.size(); ++i) {
        v[i] = momentum * v[i] + factor * g[i];
        p[i] -= learning_rate * v[i];
      }
    };
  });
}

}  // namespace dtbench::reference
