// Interval of the ratio of two medians, by resampling each side.
#pragma once

#include <span>

#include "reports/regression/gate_rule.h"
#include "reports/statistics.h"

namespace dtbench {

/// Percentile bootstrap of median(changed) / median(base), values above 0. The same seed gives the same interval.
/// For more than 5,000 values the interval is that of 5,000 of their quantiles, and so a little too wide.
ConfidenceInterval bootstrap_ratio_of_medians(std::span<const double> base, std::span<const double> changed,
                                              const BootstrapOptions& options);

}  // namespace dtbench
