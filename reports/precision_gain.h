// How much faster a lower precision is than float32, predicted and measured: from rows of a verification that differ in
// precision only.
#pragma once

#include <string>
#include <vector>

#include "reports/verify_result.h"

namespace dtbench {

/// Step time in float32 over step time in `precision`, medians over `rows` sizes and device counts.
struct PrecisionGain {
  std::string model, precision;
  std::size_t rows = 0;
  double predicted = 0, measured = 0;
  double median_abs_error = 0;  ///< of the gain of each row: |predicted - measured| / measured
  bool operator==(const PrecisionGain&) const = default;
};

/// In the order of the rows; empty when nothing was verified in float32 and another precision.
std::vector<PrecisionGain> precision_gains(const VerifyResult& result);

}  // namespace dtbench
