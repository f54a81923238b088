// When a quantity has been measured often enough.
#pragma once

#include <span>

namespace dtbench {

struct StoppingRule {
  int min_repetitions = 5;
  int max_repetitions = 100;
  double target_error = 0.01;  ///< relative standard error of the median
};

/// Relative standard error of the median, 1.2533 s / sqrt(n) for a normal distribution, with the robust spread s of
/// reports/statistics.h, which a disturbed repetition hardly moves. Infinite for fewer than three values.
double error_of_median(std::span<const double> repetitions);

/// At least `min_repetitions`, and either the median is certain enough or `max_repetitions` are there.
bool measured_enough(const StoppingRule& rule, std::span<const double> repetitions);

}  // namespace dtbench
