#include <algorithm>
#include <cmath>

#include "engine/reference/kernels/kernels.h"
#include "engine/reference/kernels/typed_kernel.h"

namespace dtbench::reference {

std::unique_ptr<Kernel> make_layer_norm(const KernelRequest& request) {
  return storage_kernel(request, [&]<class Real>(Real) {
    using Sum = Wide<Real>;
    return [x = input<Real>(request, 0), gamma = input<Sum>(request, 1), beta = input<Sum>(request, 2),
            y = output<Real>(request, 0), mean = output<Sum>(request, 1), inverse_deviation = output<Sum>(request, 2),
            columns = extent_of(request.inputs.at(0)).columns,
            epsilon = static_cast<Sum>(request.op.attributes.at("epsilon"))] {
      for (std::size_t row = 0; row < mean.size(); ++row) {
        const std::size_t first = row * columns;
        Sum sum = 0, squares = 0;
        for (std::size_t j = 0; j < columns; ++j) sum += x[first + j];
        mean[row] = sum / static_cast<Sum>(columns);
        for (std::size_t j = 0; j < columns; ++j) squares += (x[first + j] - mean[row]) * (x[first + j] - mean[row]);
        inverse_deviation[row] = 1 / std::sqrt(squares / static_cast<Sum>(columns) + epsilon);
        for (std::size_t j = 0; j < columns; ++j)
          y[first + j] = (x[first + j] - mean[row]) * inverse_deviation[row] * gamma[j] + beta[j];
      }
    };
  });
}

std::unique_ptr<Kernel> make_layer_norm_grad(const KernelRequest& request) {
  return storage_kernel(request, [&]<class Real>(Real) {
    using Sum = Wide<Real>;
    return [dy = input<Real>(request, 0), x = input<Real>(request, 1), gamma = input<Sum>(request, 2),
            mean = input<Sum>(request, 3), inverse_deviation = input<Sum>(request, 4), dx = output<Real>(request, 0),
            dgamma = output<Sum>(request, 1), dbeta = output<Sum>(request, 2)] {
      const std::size_t columns = gamma.size();
      std::ranges::fill(dgamma, Sum(0));
      std::ranges::fill(dbeta, Sum(0));
      for (std::size_t row = 0; row < mean.size(); ++row) {
        const std::size_t first = row * columns;
        const auto normal = [&](std::size_t j) -> Sum { return (x[first + j] - mean[row]) * inverse_deviation[row]; };
        Sum sum = 0, sum_normal = 0;
        for (std::size_t j = 0; j < columns; ++j) {
          const Sum g = dy[first + j] * gamma[j];
          sum += g;
          sum_normal += g * normal(j);
          dgamma[j] += dy[first + j] * normal(j);
          dbeta[j] += dy[first + j];
        }
        const Sum mean_g = sum / static_cast<Sum>(columns), mean_gn = sum_normal / static_cast<Sum>(columns);
        for (std::size_t j = 0; j < columns; ++j)
          dx[first + j] = inverse_deviation[row] * (dy[first + j] * gamma[j] - mean_g - normal(j) * mean_gn);
      }
    };
  });
}

}  // namespace dtbench::reference
