#include <algorithm>
#include <cmath>

#include "engine/reference/kernels/kernels.h"
#include "engine/reference/kernels/typed_kernel.h"

namespace dtbench::reference {

namespace {

/// Writes the softmax of one row and returns -ln p[label]; a label outside the row adds nothing.
template <class Real>
Real softmax_row(std::span<const Real> logits, std::int32_t label, std::span<Real> p) {
  const Real largest = *std::ranges::max_element(logits);
  Real sum = 0;
  for (std::size_t j = 0; j < p.size(); ++j) sum += p[j] = std::exp(logits[j] - largest);
  for (Real& value : p) value /= sum;
  const bool inside = label >= 0 && static_cast<std::size_t>(label) < p.size();
  return inside ? std::log(sum) - (logits[label] - largest) : 0;
}

}  // namespace

std::unique_ptr<Kernel> make_softmax_cross_entropy(const KernelRequest& request) {
  return typed_kernel(request, [&]<class Real>(Real) {
    return [logits = input<Real>(request, 0), label = labels(request, 1), loss = output<Real>(request, 0),
            p = output<Real>(request, 1), extent = extent_of(request.inputs.at(0)),
            scale = static_cast<Real>(request.op.attributes.at("scale"))] {
      Real sum = 0;
      for (std::size_t row = 0; row < extent.rows; ++row) {
        const std::size_t first = row * extent.columns;
        sum += softmax_row(logits.subspan(first, extent.columns), label[row], p.subspan(first, extent.columns));
      }
      loss[0] = scale * sum;
    };
  });
}

std::unique_ptr<Kernel> make_softmax_cross_entropy_grad(const KernelRequest& request) {
  return typed_kernel(request, [&]<class Real>(Real) {
    return [p = input<Real>(request, 0), label = labels(request, 1), dlogits = output<Real>(request, 0),
            loss_scale = optional_input<Real>(request, 2), columns = extent_of(request.inputs.at(0)).columns,
            mean = static_cast<Real>(request.op.attributes.at("scale"))] {
      const Real scale = loss_scale.empty() ? mean : mean * loss_scale[0];
      for (std::size_t i = 0; i < dlogits.size(); ++i) {
        const bool is_label = static_cast<std::int64_t>(i % columns) == label[i / columns];
        dlogits[i] = scale * (p[i] - (is_label ? 1 : 0));
      }
    };
  });
}

}  // namespace dtbench::reference
