#include "engine/cpu/kernels/arrays.h"
#include "engine/cpu/kernels/kernels.h"

namespace dtbench::cpu {

namespace {

bool is_approximate(const KernelRequest& request) { return request.op.attributes.at("approximate") != 0; }

}  // namespace

std::unique_ptr<Kernel> make_gelu(const KernelRequest& request, const CoreTeam& team) {
  return storage_kernel(request, [&]<class T>(T) {
    return [&team, x = input<T>(request, 0), y = output<T>(request, 0), count = request.outputs[0].elements(),
            gelu = is_approximate(request) ? loops().of<T>().gelu_tanh : loops().of<T>().gelu] {
      team.split(count, kGrain,
                 [&](const Piece& piece) { gelu(x + piece.first, y + piece.first, piece.last - piece.first); });
    };
  });
}

std::unique_ptr<Kernel> make_gelu_grad(const KernelRequest& request, const CoreTeam& team) {
  return storage_kernel(request, [&]<class T>(T) {
    return [&team, dy = input<T>(request, 0), x = input<T>(request, 1), dx = output<T>(request, 0),
            count = request.outputs[0].elements(),
            grad = is_approximate(request) ? loops().of<T>().gelu_tanh_grad : loops().of<T>().gelu_grad] {
      team.split(count, kGrain, [&](const Piece& piece) {
        grad(dy + piece.first, x + piece.first, dx + piece.first, piece.last - piece.first);
      });
    };
  });
}

}  // namespace dtbench::cpu
