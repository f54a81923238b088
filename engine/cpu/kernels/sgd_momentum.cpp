#include "engine/cpu/kernels/arrays.h"
#include "engine/cpu/kernels/kernels.h"

namespace dtbench::cpu {

std::unique_ptr<Kernel> make_sgd_momentum(const KernelRequest& request, const CoreTeam& team) {
  DTBENCH_CHECK(request.scalars != nullptr);
  return make_kernel([&team, grad = input(request, 1), param = output(request, 0), velocity = output(request, 1),
                      scale = optional_input(request, 3), count = request.outputs[0].elements(),
                      scalars = request.scalars,
                      momentum = static_cast<float>(request.op.attributes.at("momentum"))] {
    const auto learning_rate = static_cast<float>(scalars->learning_rate);
    const float factor = scale ? 1 / *scale : 1;
    team.split(count, kGrain, [&](const Piece& piece) {
      loops().sgd_momentum(param + piece.first, grad + piece.first, velocity + piece.first, piece.last - piece.first,
                           {momentum, learning_rate, factor});
    });
  });
}

}  // namespace dtbench::cpu
