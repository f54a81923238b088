#include "engine/runtime/dropout_mask.h"

#include "engine/reference/kernels/kernels.h"
#include "engine/reference/kernels/typed_kernel.h"

namespace dtbench::reference {

std::unique_ptr<Kernel> make_dropout(const KernelRequest& request) {
  DTBENCH_CHECK(request.scalars != nullptr);
  return storage_kernel(request, [&]<class Real>(Real) {
    const double rate = request.op.attributes.at("rate");
    return [x = input<Real>(request, 0), y = output<Real>(request, 0), threshold = dropout_threshold(rate),
            scale = static_cast<Wide<Real>>(1 / (1 - rate)), batch = request.inputs.at(0).shape.at(0),
            salt = static_cast<std::uint64_t>(request.op.attributes.at("salt")), scalars = request.scalars,
            first_example = request.first_example](std::int64_t step) {
      const std::size_t elements = batch == 0 ? 0 : y.size() / static_cast<std::size_t>(batch);
      for (std::int64_t example = 0; example < batch; ++example) {
        const DropoutKey key = dropout_key(scalars->seed, step, first_example + example, salt);
        const std::size_t first = static_cast<std::size_t>(example) * elements;
        for (std::size_t i = 0; i < elements; ++i) {
          const bool keep = dropout_bits(key, static_cast<std::uint32_t>(i)) >= threshold;
          y[first + i] = keep ? x[first + i] * scale : Wide<Real>(0);
        }
      }
    };
  });
}

std::unique_ptr<Kernel> make_dropout_grad(const KernelRequest& request) { return make_dropout(request); }

}  // namespace dtbench::reference
