#include "engine/cpu/kernels/arrays.h"
#include "engine/cpu/kernels/kernels.h"

namespace dtbench::cpu {

namespace {

template <class From, class To, class Loop>
auto converter(const KernelRequest& request, const CoreTeam& team, Loop loop) {
  return make_kernel([&team, loop, x = input<From>(request, 0), y = output<To>(request, 0),
                      count = request.outputs[0].elements()] {
    team.split(count, kGrain, [&](const Piece& piece) {
      loop(x + piece.first, y + piece.first, piece.last - piece.first);
    });
  });
}

}  // namespace

// One of the two types is float32: policies cast from it and back to it.
std::unique_ptr<Kernel> make_cast(const KernelRequest& request, const CoreTeam& team) {
  const DType from = request.inputs.at(0).dtype, to = request.outputs.at(0).dtype;
  if (from == DType::float32)
    return visit_dtype<float, Bfloat16, Float16>(to, request.op.name, [&]<class T>(T) {
      return std::unique_ptr<Kernel>(converter<float, T>(request, team, loops().of<T>().from_float));
    });
  return visit_dtype<Bfloat16, Float16>(from, request.op.name, [&]<class T>(T) {
    return std::unique_ptr<Kernel>(converter<T, float>(request, team, loops().of<T>().to_float));
  });
}

}  // namespace dtbench::cpu
