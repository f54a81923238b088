// Welch's t-test: the difference of two means beside the spread of each.
#pragma once

#include <span>

namespace dtbench {

/// Two-sided p-value; at least two values in each sample. Without any spread it is 0 or, for equal means, 1.
double welch_p_value(std::span<const double> base, std::span<const double> changed);

}  // namespace dtbench
