#include "bench/calibration_grid.h"

#include <algorithm>

#include "bench/host_sizes.h"

namespace dtbench {

namespace {

bool contains_work(const std::vector<WorkSize>& sizes, const WorkSize& size) {
  return std::any_of(sizes.begin(), sizes.end(), [&](const WorkSize& other) { return same_work(size, other); });
}

/// Row `index` of every model at every precision, so that none of them waits for another to be through.
std::vector<WorkSize> row_of_all(const WorkScope& scope, std::size_t index) {
  std::vector<WorkSize> row;
  for (const std::string& model : scope.models)
    for (const std::string& precision : scope.precisions) {
      const std::vector<SizeShape>& shapes = host_sizes_of(model).calibration;
      if (index < shapes.size()) row.push_back({model, shapes[index].options, shapes[index].batch, 1, precision});
    }
  return row;
}

}  // namespace

std::vector<WorkSize> calibration_grid(const GridRequest& request) {
  std::vector<WorkSize> grid;
  const auto add = [&](WorkSize size, int replicas) {
    size.replicas = replicas;
    if (contains_work(request.excluded, size)) return;
    const auto known = [&](const WorkSize& other) { return other.replicas == replicas && same_work(other, size); };
    if (std::none_of(grid.begin(), grid.end(), known)) grid.push_back(std::move(size));
  };
  // Both neighbours before more replicas of one: what lies between two known sizes is known best.
  for (const int replicas : request.scope.replicas)
    for (const WorkSize& size : request.around)
      for (const SizeShape& shape : neighbours(size.model, {size.options, size.batch}))
        add({size.model, shape.options, shape.batch, 1, size.precision}, replicas);
  for (std::size_t index = 0;; ++index) {
    const std::vector<WorkSize> row = row_of_all(request.scope, index);
    if (row.empty()) return grid;
    for (const WorkSize& size : row)
      for (const int replicas : request.scope.replicas) add(size, replicas);
  }
}

}  // namespace dtbench
