#include <cstring>

#include "engine/cpu/kernels/arrays.h"
#include "engine/cpu/kernels/kernels.h"

namespace dtbench::cpu {

// Plans make it a view; this copy is for those that could not.
std::unique_ptr<Kernel> make_reshape(const KernelRequest& request, const CoreTeam& team) {
  return storage_kernel(request, [&]<class T>(T) {
    return [&team, x = input<T>(request, 0), y = output<T>(request, 0), count = request.outputs[0].elements()] {
      team.split(count, kGrain, [&](const Piece& piece) {
        std::memcpy(y + piece.first, x + piece.first, static_cast<std::size_t>(piece.last - piece.first) * sizeof(T));
      });
    };
  });
}

}  // namespace dtbench::cpu
