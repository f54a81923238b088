// Do repetitions wander in one direction while they are taken (warming up, throttling, a filling cache)?
#pragma once

#include <span>

namespace dtbench {

struct Drift {
  double p_value = 1;            ///< two-sided: Kendall's S of both sessions together, exact without ties
  double base = 0, changed = 0;  ///< change from the first repetition to the last, by Theil and Sen's slope
};

/// Repetitions in the order in which they were taken.
Drift drift_of(std::span<const double> base, std::span<const double> changed);

/// Median of the slopes of all pairs times (n - 1); 0 for fewer than two values.
double theil_sen_change(std::span<const double> values);

}  // namespace dtbench
