// Predicted against measured.
#pragma once

#include <span>

#include "reports/run_result.h"

namespace dtbench {

struct Comparison {
  double ratio = 0;      ///< predicted / measured
  double abs_error = 0;  ///< |predicted - measured| / measured
  bool inside = false;   ///< measured within low..high
};

/// The measured value must be above 0.
Comparison compare(const Predicted& predicted, const Measured& measured);

/// Of each quantity that has both halves, in order.
std::vector<Comparison> compare_step_seconds(std::span<const Point> points);

/// Fills `median_abs_error` from the points, or clears it when no point has both halves (`reason` then says why).
void summarise(ClosedLoop& loop);

/// A measured quantity from its repetitions (at least one): the value is their median.
Measured measured_from(std::vector<double> repetitions);

}  // namespace dtbench
