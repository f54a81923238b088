#include "engine/runtime/loss_scale.h"

#include <cmath>

#include "engine/reference/kernels/kernels.h"
#include "engine/reference/kernels/typed_kernel.h"

namespace dtbench::reference {

namespace {

template <class Real>
bool is_finite(std::span<const Real> values) {
  for (const Real value : values)
    if (!std::isfinite(static_cast<Wide<Real>>(value))) return false;
  return true;
}

}  // namespace

std::unique_ptr<Kernel> make_all_finite(const KernelRequest& request) {
  const DType dtype = request.inputs.at(0).dtype;
  return visit_dtype<float, double, Bfloat16, Float16>(dtype, request.op.name, [&]<class Real>(Real) {
    std::vector<std::span<const Real>> gradients;
    for (std::size_t i = 0; i < request.inputs.size(); ++i) gradients.push_back(input<Real>(request, i));
    return std::unique_ptr<Kernel>(make_kernel([gradients, finite = output<std::int32_t>(request, 0),
                                                culprit = output<std::int32_t>(request, 1)] {
      culprit[0] = -1;
      for (std::size_t i = 0; i < gradients.size() && culprit[0] < 0; ++i)
        if (!is_finite(gradients[i])) culprit[0] = static_cast<std::int32_t>(i);
      finite[0] = culprit[0] < 0 ? 1 : 0;
    }));
  });
}

std::unique_ptr<Kernel> make_update_loss_scale(const KernelRequest& request) {
  return typed_kernel(request, [&]<class Real>(Real) {
    return [finite = input<std::int32_t>(request, 0), culprit = input<std::int32_t>(request, 1),
            scale = output<Real>(request, 0), counters = output<std::int32_t>(request, 1),
            growth_steps = static_cast<std::int32_t>(request.op.attributes.at("growth_steps"))] {
      advance_loss_scale(finite[0] != 0, culprit[0], growth_steps, scale[0], counters);
    };
  });
}

}  // namespace dtbench::reference
