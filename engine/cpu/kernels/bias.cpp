#include "engine/cpu/kernels/arrays.h"
#include "engine/cpu/kernels/kernels.h"

namespace dtbench::cpu {

namespace {

/// Columns are dealt out in blocks of this many, so that a sum belongs to one member and keeps its order.
std::int64_t column_grain(const RowShape& shape) {
  constexpr std::int64_t kBlock = 64;
  const std::int64_t columns = kGrain / std::max<std::int64_t>(1, shape.rows);
  return std::max<std::int64_t>(1, columns / kBlock) * kBlock;
}

}  // namespace

std::unique_ptr<Kernel> make_bias(const KernelRequest& request, const CoreTeam& team) {
  return storage_kernel(request, [&]<class T>(T) {
    return [&team, x = input<T>(request, 0), b = input<T>(request, 1), y = output<T>(request, 0),
            shape = rows_of(request.outputs.at(0), request.inputs.at(1).elements())] {
      team.split(shape.rows, row_grain(shape), [&](const Piece& piece) {
        const std::int64_t first = piece.first * shape.columns;
        loops().of<T>().bias(x + first, b, y + first, {piece.last - piece.first, shape.columns});
      });
    };
  });
}

std::unique_ptr<Kernel> make_bias_grad(const KernelRequest& request, const CoreTeam& team) {
  return storage_kernel(request, [&]<class T>(T) {
    return [&team, dy = input<T>(request, 0), db = output<T>(request, 0),
            shape = rows_of(request.inputs.at(0), request.outputs.at(0).elements())] {
      team.split(shape.columns, column_grain(shape),
                 [&](const Piece& piece) { loops().of<T>().bias_grad(dy, db, shape, piece.first, piece.last); });
    };
  });
}

}  // namespace dtbench::cpu
