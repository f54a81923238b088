#include "engine/cpu/kernels/arrays.h"
#include "engine/cpu/kernels/kernels.h"

namespace dtbench::cpu {

std::unique_ptr<Kernel> make_add(const KernelRequest& request, const CoreTeam& team) {
  return make_kernel([&team, a = input(request, 0), b = input(request, 1), y = output(request, 0),
                      count = request.outputs[0].elements()] {
    team.split(count, kGrain, [&](const Piece& piece) {
      loops().add(a + piece.first, b + piece.first, y + piece.first, piece.last - piece.first);
    });
  });
}

}  // namespace dtbench::cpu
