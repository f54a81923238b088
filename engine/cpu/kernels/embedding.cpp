#include <numeric>
#include <vector>

#include "engine/cpu/kernels/arrays.h"
#include "engine/cpu/kernels/kernels.h"

namespace dtbench::cpu {

namespace {

/// The places of each id, in their order: those of id v are places()[first(v)] to places()[first(v + 1)].
class PlacesOfIds {
 public:
  PlacesOfIds(std::int64_t rows, std::int64_t ids)
      : first_(static_cast<std::size_t>(rows) + 2), places_(static_cast<std::size_t>(ids)) {}

  /// Counting sort; ids outside the table have no place.
  void sort(const std::int32_t* ids) {
    std::ranges::fill(first_, 0);
    for (std::size_t i = 0; i < places_.size(); ++i)
      if (inside(ids[i])) ++first_[static_cast<std::size_t>(ids[i]) + 2];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    for (std::size_t i = 0; i < places_.size(); ++i)
      if (inside(ids[i]))
        places_[static_cast<std::size_t>(first_[static_cast<std::size_t>(ids[i]) + 1]++)] =
            static_cast<std::int32_t>(i);
  }
  const std::int32_t* places(std::int64_t id) const { return places_.data() + first_[static_cast<std::size_t>(id)]; }
  std::int64_t count(std::int64_t id) const {
    return first_[static_cast<std::size_t>(id) + 1] - first_[static_cast<std::size_t>(id)];
  }

 private:
  bool inside(std::int32_t id) const { return id >= 0 && static_cast<std::size_t>(id) + 2 < first_.size(); }

  std::vector<std::int64_t> first_;
  std::vector<std::int32_t> places_;
};

}  // namespace

std::unique_ptr<Kernel> make_embedding(const KernelRequest& request, const CoreTeam& team) {
  return storage_kernel(request, [&]<class T>(T) {
    return [&team, table = input<T>(request, 0), ids = labels(request, 1), y = output<T>(request, 0),
            rows = request.inputs[0].shape.at(0), shape = row_shape(request.outputs.at(0))] {
      team.split(shape.rows, row_grain(shape), [&](const Piece& piece) {
        for (std::int64_t i = piece.first; i < piece.last; ++i) {
          const bool inside = ids[i] >= 0 && ids[i] < rows;
          loops().of<T>().sum_rows(table, ids + i, inside ? 1 : 0, y + i * shape.columns, shape.columns);
        }
      });
    };
  });
}

// Each row of the table is written once, by one member: cleared or the sum of its places.
std::unique_ptr<Kernel> make_embedding_grad(const KernelRequest& request, const CoreTeam& team) {
  return storage_kernel(request, [&]<class T>(T) {
    const RowShape table = row_shape(request.outputs.at(0));
    return [&team, ids = labels(request, 0), dy = input<T>(request, 1), dtable = output<T>(request, 0), table,
            places = PlacesOfIds(table.rows, request.inputs.at(0).elements())]() mutable {
      places.sort(ids);
      team.split(table.rows, row_grain(table), [&](const Piece& piece) {
        for (std::int64_t id = piece.first; id < piece.last; ++id)
          loops().of<T>().sum_rows(dy, places.places(id), places.count(id), dtable + id * table.columns, table.columns);
      });
    };
  });
}

}  // namespace dtbench::cpu
