// Kernels of two operands and a result for a storage type that oneDNN does not compute here: by way of float copies.
#pragma once

#include <memory>
#include <utility>

#include "engine/cpu/kernels/float_copy.h"

namespace dtbench::cpu {

/// outputs[0], stored as T, of inputs[first] and inputs[second]. `make(a, b, c)` prepares the same work on floats.
template <class T, class Make>
std::unique_ptr<Kernel> make_widened(const KernelRequest& request, const CoreTeam& team, std::size_t first,
                                     std::size_t second, const Make& make) {
  struct Copies {
    FloatCopy a, b, c;
  };
  auto copies = std::make_unique<Copies>(FloatCopy(request.inputs.at(first).elements()),
                                         FloatCopy(request.inputs.at(second).elements()),
                                         FloatCopy(request.outputs.at(0).elements()));
  auto work = make(copies->a.data(), copies->b.data(), copies->c.data());
  return make_kernel([&team, copies = std::move(copies), work = std::move(work), a = input<T>(request, first),
                      b = input<T>(request, second), c = output<T>(request, 0)]() mutable {
    copies->a.load(a, team);
    copies->b.load(b, team);
    work.run();
    copies->c.store(c, team);
  });
}

}  // namespace dtbench::cpu
