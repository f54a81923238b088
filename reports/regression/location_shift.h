// By how much has a sample moved? Hodges and Lehmann's estimate, the median of all differences between the two samples,
// with the interval that belongs to the rank test. Nearly as precise as the difference of means when the noise is
// normal (efficiency 3/pi = 95 %), and hardly touched by a quarter of wild values.
#pragma once

#include <span>

namespace dtbench {

struct LocationShift {
  double value = 0, low = 0, high = 0;  ///< changed - base; without an interval low and high are infinite
};

/// The two-sided interval of the given confidence; it is infinite where so few values cannot give one (2 against 2).
/// More than 2,000 values are represented by 2,000 of their quantiles.
LocationShift location_shift(std::span<const double> base, std::span<const double> changed, double confidence);

}  // namespace dtbench
