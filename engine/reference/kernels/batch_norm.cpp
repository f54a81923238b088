#include <algorithm>
#include <cmath>

#include "engine/reference/kernels/kernels.h"
#include "engine/reference/kernels/typed_kernel.h"
#include "engine/runtime/batch_moments.h"

namespace dtbench::reference {

namespace {

/// A kernel of the storage type of inputs[0]; parameters and sums are Wide<Real>, statistics double.
template <class Make>
std::unique_ptr<Kernel> input_kernel(const KernelRequest& request, Make make) {
  const auto made = [&](auto real) { return make_kernel(make(real)); };
  return visit_dtype<float, double, Bfloat16, Float16>(request.inputs.at(0).dtype, request.op.name, made);
}

BatchMoments moments(const KernelRequest& request, std::size_t index) {
  return BatchMoments(input<double>(request, index), attribute(request, "epsilon", 0));
}

/// Calls use(element, channel) for all elements.
template <class Use>
void for_each_element(std::size_t elements, std::size_t channels, const Use& use) {
  for (std::size_t i = 0; i < elements; ++i) use(i, i % channels);
}

}  // namespace

std::unique_ptr<Kernel> make_batch_norm_statistics(const KernelRequest& request) {
  return input_kernel(request, [&]<class Real>(Real) {
    return
        [x = input<Real>(request, 0), statistics = output<double>(request, 0), extent = extent_of(request.inputs[0])] {
          const std::size_t channels = extent.columns;
          const std::span<double> sums = statistics.first(channels), squares = statistics.subspan(channels, channels);
          const auto count = static_cast<double>(extent.rows);
          std::ranges::fill(statistics, 0.0);
          for_each_element(x.size(), channels, [&](std::size_t i, std::size_t c) { sums[c] += x[i]; });
          // Squares of the deviations first: they do not cancel.
          for_each_element(x.size(), channels, [&](std::size_t i, std::size_t c) {
            const double deviation = x[i] - sums[c] / count;
            squares[c] += deviation * deviation;
          });
          for (std::size_t c = 0; c < channels && count > 0; ++c) squares[c] += sums[c] * (sums[c] / count);
          statistics.back() = count;
        };
  });
}

std::unique_ptr<Kernel> make_batch_norm(const KernelRequest& request) {
  return input_kernel(request, [&]<class Real>(Real) {
    using Parameter = Wide<Real>;
    return [x = input<Real>(request, 0), batch = moments(request, 1), gamma = input<Parameter>(request, 2),
            beta = input<Parameter>(request, 3), y = output<Real>(request, 0), mean = output<Parameter>(request, 1),
            variance = output<Parameter>(request, 2), momentum = attribute(request, "momentum", 0)] {
      for_each_element(y.size(), gamma.size(), [&](std::size_t i, std::size_t c) {
        const auto scale = static_cast<Parameter>(gamma[c] * batch.inverse_deviation(c));
        y[i] = (x[i] - static_cast<Parameter>(batch.mean(c))) * scale + beta[c];
      });
      for (std::size_t c = 0; c < gamma.size(); ++c) batch.follow(c, momentum, mean[c], variance[c]);
    };
  });
}

std::unique_ptr<Kernel> make_batch_norm_inference(const KernelRequest& request) {
  return input_kernel(request, [&]<class Real>(Real) {
    using Parameter = Wide<Real>;
    return [x = input<Real>(request, 0), gamma = input<Parameter>(request, 1), beta = input<Parameter>(request, 2),
            mean = input<Parameter>(request, 3), variance = input<Parameter>(request, 4), y = output<Real>(request, 0),
            epsilon = attribute(request, "epsilon", 0)] {
      for_each_element(y.size(), gamma.size(), [&](std::size_t i, std::size_t c) {
        const auto scale = static_cast<Parameter>(gamma[c] / std::sqrt(variance[c] + epsilon));
        y[i] = (x[i] - mean[c]) * scale + beta[c];
      });
    };
  });
}

std::unique_ptr<Kernel> make_batch_norm_grad_statistics(const KernelRequest& request) {
  return input_kernel(request, [&]<class Real>(Real) {
    using Parameter = Wide<Real>;
    const std::size_t channels = extent_of(request.inputs[0]).columns;
    return [dy = input<Real>(request, 0), x = input<Real>(request, 1), batch = moments(request, 2), channels,
            sums = output<Parameter>(request, 0), dgamma = output<Parameter>(request, 1),
            dbeta = output<Parameter>(request, 2)] {
      std::ranges::fill(dgamma, Parameter(0));
      std::ranges::fill(dbeta, Parameter(0));
      for_each_element(x.size(), channels, [&](std::size_t i, std::size_t c) {
        dbeta[c] += dy[i];
        dgamma[c] += dy[i] * (x[i] - static_cast<Parameter>(batch.mean(c)));
      });
      for (std::size_t c = 0; c < channels; ++c) {
        dgamma[c] *= static_cast<Parameter>(batch.inverse_deviation(c));
        sums[c] = dbeta[c];
        sums[channels + c] = dgamma[c];
      }
    };
  });
}

std::unique_ptr<Kernel> make_batch_norm_grad_input(const KernelRequest& request) {
  return input_kernel(request, [&]<class Real>(Real) {
    using Parameter = Wide<Real>;
    return [dy = input<Real>(request, 0), x = input<Real>(request, 1), batch = moments(request, 2),
            gamma = input<Parameter>(request, 3), sums = input<Parameter>(request, 4), dx = output<Real>(request, 0)] {
      const std::size_t channels = gamma.size();
      for_each_element(dx.size(), channels, [&](std::size_t i, std::size_t c) {
        const double inverse = batch.inverse_deviation(c), scale = gamma[c] * inverse;
        const auto of_dy = static_cast<Parameter>(scale),
                   constant = static_cast<Parameter>(scale * sums[c] / batch.count());
        const auto of_x = static_cast<Parameter>(scale * inverse * sums[channels + c] / batch.count());
        dx[i] = of_dy * dy[i] - of_x * (x[i] - static_cast<Parameter>(batch.mean(c))) - constant;
      });
    };
  });
}

}  // namespace dtbench::reference
