// Order statistics of small samples: what a report says about repetitions.
//
// All functions take at least one finite value and leave their argument as it is.
#pragma once

#include <cstdint>
#include <span>

namespace dtbench {

double median(std::span<const double> values);
/// Quantile by linear interpolation of the order statistics (type 7 of Hyndman and Fan 1996, the default of R and
/// NumPy); 0 <= probability <= 1.
double quantile(std::span<const double> values, double probability);
/// Standard deviations of a normal per median absolute deviation: 1 / inverse normal cdf(3/4).
inline constexpr double kNormalPerMad = 1.4826;

/// Median absolute deviation from the median, unscaled (times 1.4826 it estimates a normal's standard deviation).
double median_absolute_deviation(std::span<const double> values);
/// Robust relative spread: 1.4826 MAD / median; 0 for fewer than three values. The median must not be 0.
double relative_spread(std::span<const double> values);

struct ConfidenceInterval {
  double low = 0, high = 0;
};

/// Percentile bootstrap interval of the median. The same seed gives the same interval.
struct BootstrapOptions {
  double confidence = 0.9;
  int resamples = 2000;
  std::uint64_t seed = 1;
};
ConfidenceInterval bootstrap_median(std::span<const double> values, const BootstrapOptions& options = {});

}  // namespace dtbench
