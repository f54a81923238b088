#include "engine/cpu/kernels/arrays.h"
#include "engine/cpu/kernels/kernels.h"

namespace dtbench::cpu {

namespace {

/// The mask of one call: a key for each example, drawn anew in each step.
struct Mask {
  std::int64_t first_example = 0, elements = 1;  ///< of one example
  std::uint64_t salt = 0;
  std::uint32_t threshold = 0;
  float scale = 1;
  const StepScalars* scalars = nullptr;

  explicit Mask(const KernelRequest& request)
      : first_example(request.first_example),
        elements(std::max<std::int64_t>(1, rows_of(request.inputs.at(0), request.inputs.at(0).shape.at(0)).rows)),
        salt(static_cast<std::uint64_t>(request.op.attributes.at("salt"))),
        threshold(dropout_threshold(request.op.attributes.at("rate"))),
        scale(static_cast<float>(1 / (1 - request.op.attributes.at("rate")))),
        scalars(request.scalars) {
    DTBENCH_CHECK(scalars != nullptr);
  }

  DropoutMask at(std::int64_t element, std::int64_t step) const {
    return {dropout_key(scalars->seed, step, first_example + element / elements, salt),
            static_cast<std::uint32_t>(element % elements), threshold, scale};
  }
  /// Where the example that `element` belongs to ends.
  std::int64_t end_of_example(std::int64_t element) const { return (element / elements + 1) * elements; }
};

}  // namespace

std::unique_ptr<Kernel> make_dropout(const KernelRequest& request, const CoreTeam& team) {
  return storage_kernel(request, [&]<class T>(T) {
    return [&team, x = input<T>(request, 0), y = output<T>(request, 0), count = request.outputs[0].elements(),
            mask = Mask(request)](std::int64_t step) {
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
