// Medians and what is made of them: a few disturbed measurements must not move a fit.
#pragma once

#include <vector>

namespace dtbench {

/// Of at least one value.
double median(std::vector<double> values);

/// A value that counts `weight` times.
struct Weighted {
  double value = 0, weight = 1;
};
/// The smallest value at which at least half of the weight is reached. At least one value, weights >= 0.
double weighted_median(std::vector<Weighted> values);

/// Standard deviation around 0 that a normal distribution with the median size of these errors has.
double robust_sd(std::vector<double> errors);

/// Nearest-rank quantile, 0 <= q <= 1.
double quantile(std::vector<double> values, double q);

}  // namespace dtbench
