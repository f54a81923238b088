#include <vector>

#include "engine/reference/kernels/kernels.h"
#include "engine/reference/kernels/typed_kernel.h"

namespace dtbench::reference {

namespace {

/// Where element i of the gathered rows [B,P,H] stands in the sequences [B,S,H]; false: at no position of them.
struct Places {
  std::size_t chosen = 0, sequence = 0, columns = 0;
  bool find(std::span<const std::int32_t> positions, std::size_t i, std::size_t& place) const {
    const std::size_t row = i / columns;
    const std::int32_t position = positions[row];
    place = (row / chosen * sequence + static_cast<std::size_t>(position)) * columns + i % columns;
    return position >= 0 && static_cast<std::size_t>(position) < sequence;
  }
};

Places places(const Buffer& gathered, const Buffer& sequences) {
  return {static_cast<std::size_t>(gathered.shape[1]), static_cast<std::size_t>(sequences.shape[1]),
          static_cast<std::size_t>(gathered.shape[2])};
}

}  // namespace

std::unique_ptr<Kernel> make_gather_rows(const KernelRequest& request) {
  return storage_kernel(request, [&]<class Real>(Real) {
    return [x = input<Real>(request, 0), positions = labels(request, 1), y = output<Real>(request, 0),
            rows = places(request.outputs.at(0), request.inputs.at(0))] {
      std::size_t place = 0;
      for (std::size_t i = 0; i < y.size(); ++i) y[i] = rows.find(positions, i, place) ? x[place] : Real(0);
    };
  });
}

std::unique_ptr<Kernel> make_gather_rows_grad(const KernelRequest& request) {
  return storage_kernel(request, [&]<class Real>(Real) {
    return [positions = labels(request, 0), dy = input<Real>(request, 1), dx = output<Real>(request, 0),
            rows = places(request.inputs.at(1), request.outputs.at(0))] {
      std::vector<Wide<Real>> sums(dx.size());
      std::size_t place = 0;
      for (std::size_t i = 0; i < dy.size(); ++i)
        if (rows.find(positions, i, place)) sums[place] += dy[i];
      for (std::size_t i = 0; i < dx.size(); ++i) dx[i] = sums[i];
    };
  });
}

}  // namespace dtbench::reference
