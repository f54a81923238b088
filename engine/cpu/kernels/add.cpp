#include "engine/cpu/kernels/arrays.h"
#include "engine/cpu/kernels/kernels.h"

namespace dtbench::cpu {

std::unique_ptr<Kernel> make_add(const KernelRequest& request, const CoreTeam& team) {
  return storage_kernel(request, [&]<class T>(T) {
    return [&team, a = input<T>(request, 0), b = input<T>(request, 1), y = output<T>(request, 0),
            count = request.outputs[0].elements()] {
      team.split(count, kGrain, [&](const Piece& piece) {
        loops().of<T>().add(a + piece.first, b + piece.first, y + piece.first, piece.last - piece.first);
      });
    };
  });
}

}  // namespace dtbench::cpu
