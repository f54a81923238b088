#include "bench/calibration_grid.h"

#include <algorithm>
#include <array>

namespace dtbench {

namespace {

struct Shape {
  std::int64_t hidden, batch, layers = 3;
};

/// Small and large first, then between. Dense calls of 0.6 MFLOP to 19 GFLOP, updates of 0.3 to 100 MB. Widths are
/// multiples of 16 (whole vectors), but not of 512: rows that lie a multiple of 4 KiB apart compete for the same places
/// of a cache, so that such widths are no neighbours of the others.
constexpr std::array<Shape, 14> kShapes = {{{80, 48},
                                            {1520, 192},
                                            {400, 96},
                                            {2992, 48},
                                            {208, 384},
                                            {752, 96},
                                            {48, 24},
                                            {752, 768},
                                            {2992, 384},
                                            {1520, 24},
                                            {80, 1536},
                                            {400, 1536},
                                            {208, 12},
                                            {2288, 1152}}};

/// Parameters, gradients and momentum, and activations with their gradients; about.
double bytes_of(const GridSize& size) {
  constexpr double kFloat = 4, kInput = 784;
  const auto hidden = static_cast<double>(size.hidden), layers = static_cast<double>(size.layers);
  const double weights = hidden * (kInput + (layers - 1) * hidden);
  const double activations = static_cast<double>(size.batch) * (kInput + 4 * layers * hidden);
  return size.replicas * kFloat * (3 * weights + activations);
}

bool same_work(const GridSize& a, const GridSize& b) {
  return a.hidden == b.hidden && a.batch == b.batch && a.layers == b.layers;
}

std::int64_t scaled(std::int64_t value, std::int64_t times, std::int64_t by) {
  return std::max<std::int64_t>(1, value * times / by);
}

/// One narrower and one wider neighbour, whose dense calls enclose those of `size` (0.7 and 1.17 times the work) and
/// which are as shallow as shows a hidden layer: large models leave little time.
std::vector<Shape> neighbours(const GridSize& size) {
  return {{scaled(size.hidden, 3, 4), scaled(size.batch, 5, 4), 2},
          {scaled(size.hidden, 5, 4), scaled(size.batch, 3, 4), 2}};
}

}  // namespace

std::vector<GridSize> calibration_grid(const GridRequest& request) {
  std::vector<GridSize> grid;
  const auto add = [&](const Shape& shape, int replicas) {
    const GridSize size{shape.hidden, shape.layers, shape.batch, replicas};
    const auto clashes = [&](const GridSize& other) { return same_work(size, other); };
    if (std::any_of(request.excluded.begin(), request.excluded.end(), clashes)) return;
    if (request.largest_bytes > 0 && bytes_of(size) > request.largest_bytes) return;
    if (std::find(grid.begin(), grid.end(), size) == grid.end()) grid.push_back(size);
  };
  // Both neighbours before more replicas of one: what lies between two known sizes is known best.
  for (const int replicas : request.replicas)
    for (const GridSize& size : request.around)
      for (const Shape& shape : neighbours(size)) add(shape, replicas);
  for (const Shape& shape : kShapes)
    for (const int replicas : request.replicas) add(shape, replicas);
  return grid;
}

}  // namespace dtbench
