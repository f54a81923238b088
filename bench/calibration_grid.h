// Which sizes a host is calibrated on: steps of `mlp`, small enough together for the time there is.
//
// Sizes that someone wants to predict are kept out, so that a calibration is never checked on what it has seen.
#pragma once

#include <cstdint>
#include <vector>

namespace dtbench {

struct GridSize {
  std::int64_t hidden = 0, layers = 0, batch = 0;
  int replicas = 1;
  bool operator==(const GridSize&) const = default;
};

struct GridRequest {
  std::vector<int> replicas = {1};  ///< counts to run: one, and as many as will be predicted
  std::vector<GridSize> excluded;   ///< hidden, layers and batch to be predicted later (any replica count)
  /// Where it matters most: sizes a little smaller and larger than this one come first. None: the whole range evenly.
  std::vector<GridSize> around;
  double largest_bytes = 0;  ///< of parameters, gradients and activations of all replicas; 0 = no limit
};

/// In the order in which they should run: cut off anywhere, the sizes so far span the range as well as they can.
std::vector<GridSize> calibration_grid(const GridRequest& request);

}  // namespace dtbench
