#include "engine/cpu/kernels/arrays.h"
#include "engine/cpu/kernels/kernels.h"
#include "engine/cpu/kernels/step_mask.h"

namespace dtbench::cpu {

std::unique_ptr<Kernel> make_dropout(const KernelRequest& request, const CoreTeam& team) {
  return storage_kernel(request, [&]<class T>(T) {
    return [&team, x = input<T>(request, 0), y = output<T>(request, 0), count = request.outputs[0].elements(),
            mask = StepMask(request, elements_of_example(request.inputs.at(0)))](std::int64_t step) {
      team.split(count, kGrain, [&](const Piece& piece) {
        for (std::int64_t i = piece.first; i < piece.last;) {
          const std::int64_t end = std::min(piece.last, mask.end_of_example(i));
          loops().of<T>().dropout(x + i, y + i, end - i, mask.at(i, step));
          i = end;
        }
      });
    };
  });
}

std::unique_ptr<Kernel> make_dropout_grad(const KernelRequest& request, const CoreTeam& team) {
  return make_dropout(request, team);
}

}  // namespace dtbench::cpu
