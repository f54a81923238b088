#include "engine/cpu/kernels/arrays.h"
#include "engine/cpu/kernels/kernels.h"

namespace dtbench::cpu {

std::unique_ptr<Kernel> make_tanh(const KernelRequest& request, const CoreTeam& team) {
  return storage_kernel(request, [&]<class T>(T) {
    return [&team, x = input<T>(request, 0), y = output<T>(request, 0), count = request.outputs[0].elements()] {
      team.split(count, kGrain, [&](const Piece& piece) {
        loops().of<T>().tanh(x + piece.first, y + piece.first, piece.last - piece.first);
      });
    };
  });
}

std::unique_ptr<Kernel> make_tanh_grad(const KernelRequest& request, const CoreTeam& team) {
  return storage_kernel(request, [&]<class T>(T) {
    return [&team, dy = input<T>(request, 0), y = input<T>(request, 1), dx = output<T>(request, 0),
            count = request.outputs[0].elements()] {
      team.split(count, kGrain, [&](const Piece& piece) {
        loops().of<T>().tanh_grad(dy + piece.first, y + piece.first, dx + piece.first, piece.last - piece.first);
      });
    };
  });
}

}  // namespace dtbench::cpu
