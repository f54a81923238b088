// Sizes of each model family that a host runs in a moment: those it is calibrated on, and those that check a
// calibration. One row a family: a model without a row cannot be calibrated for by itself.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/plan/models/model.h"

namespace dtbench {

struct SizeShape {
  ModelOptions options;
  std::int64_t batch = 1;
};

struct HostSizes {
  std::string_view model;  ///< a family, or a preset that has a row of its own
  /// In the order in which they should run: cut off anywhere, they span the range as well as they can.
  std::vector<SizeShape> calibration;
  /// Widths, depths and batches between and beyond those of the calibration.
  std::vector<SizeShape> verification;
  /// The option that `neighbours` makes smaller and larger, in multiples of `step` (of the option `step` when it is
  /// named): a width, or the size of an image.
  struct Size {
    std::string_view option;
    std::int64_t step = 1;
    std::string_view step_option = "";
  } size;
};

std::span<const HostSizes> host_sizes();
/// The row of the model, else that of its family; nullptr when there is none.
const HostSizes* find_host_sizes(std::string_view model);
/// Bad input that names --model when there is no row.
const HostSizes& host_sizes_of(std::string_view model);

/// A smaller and a larger step of `model`, whose calls enclose those of `shape` and which are as shallow as shows a
/// hidden layer: large models leave little time.
std::vector<SizeShape> neighbours(std::string_view model, const SizeShape& shape);

}  // namespace dtbench
