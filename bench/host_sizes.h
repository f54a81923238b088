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
  std::string_view family;
  /// In the order in which they should run: cut off anywhere, they span the range as well as they can.
  std::vector<SizeShape> calibration;
  /// Widths, depths and batches between and beyond those of the calibration.
  std::vector<SizeShape> verification;
  /// Options that make a step wider: `neighbours` moves them together, in multiples of `multiple_of` (an option, or
  /// a number).
  struct Width {
    std::string_view option;
    std::int64_t multiple = 1;
    std::string_view multiple_of_option = "";
  };
  std::vector<Width> widths;
};

std::span<const HostSizes> host_sizes();
const HostSizes* find_host_sizes(std::string_view model);
/// Bad input that names --model when there is no row.
const HostSizes& host_sizes_of(std::string_view model);

/// A smaller and a larger size, whose calls enclose those of `shape` (0.7 and 1.17 times the work) and which are as
/// shallow as shows a hidden layer: large models leave little time.
std::vector<SizeShape> neighbours(const HostSizes& sizes, const SizeShape& shape);

}  // namespace dtbench
