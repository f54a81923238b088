#include <vector>

#include "engine/cpu/kernels/arrays.h"
#include "engine/cpu/kernels/kernels.h"

namespace dtbench::cpu {

namespace {

struct Sequences {
  std::int64_t batch = 0, length = 0, chosen = 0, columns = 0;
};

Sequences sequences_of(const Buffer& sequences, const Buffer& positions) {
  return {sequences.shape.at(0), sequences.shape.at(1), positions.shape.at(1), sequences.shape.at(2)};
}

}  // namespace

std::unique_ptr<Kernel> make_gather_rows(const KernelRequest& request, const CoreTeam& team) {
  return storage_kernel(request, [&]<class T>(T) {
    return [&team, x = input<T>(request, 0), positions = labels(request, 1), y = output<T>(request, 0),
            s = sequences_of(request.inputs.at(0), request.inputs.at(1))] {
      team.split(s.batch * s.chosen, row_grain({0, s.columns}), [&](const Piece& piece) {
        for (std::int64_t i = piece.first; i < piece.last; ++i) {
          const bool inside = positions[i] >= 0 && positions[i] < s.length;
          loops().of<T>().sum_rows(x + i / s.chosen * s.length * s.columns, positions + i, inside ? 1 : 0,
                                   y + i * s.columns, s.columns);
        }
      });
    };
  });
}

// Few of a sequence's positions are chosen, so each looks for its places among them.
std::unique_ptr<Kernel> make_gather_rows_grad(const KernelRequest& request, const CoreTeam& team) {
  return storage_kernel(request, [&]<class T>(T) {
    const Sequences s = sequences_of(request.outputs.at(0), request.inputs.at(0));
    return [&team, s, positions = labels(request, 0), dy = input<T>(request, 1), dx = output<T>(request, 0),
            places = std::vector<std::int32_t>(static_cast<std::size_t>(team.size() * s.chosen))]() mutable {
      team.split(s.batch * s.length, row_grain({0, s.columns}), [&](const Piece& piece) {
        std::int32_t* found = places.data() + piece.member * s.chosen;
        for (std::int64_t row = piece.first; row < piece.last; ++row) {
          const std::int64_t example = row / s.length, position = row % s.length;
          std::int64_t count = 0;
          for (std::int64_t c = 0; c < s.chosen; ++c)
            if (positions[example * s.chosen + c] == position) found[count++] = static_cast<std::int32_t>(c);
          loops().of<T>().sum_rows(dy + example * s.chosen * s.columns, found, count, dx + row * s.columns, s.columns);
        }
      });
    };
  });
}

}  // namespace dtbench::cpu
