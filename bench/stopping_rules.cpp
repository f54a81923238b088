#include "bench/stopping_rules.h"

#include <cmath>
#include <limits>

#include "reports/statistics.h"

namespace dtbench {

double error_of_median(std::span<const double> repetitions) {
  if (repetitions.size() < 3) return std::numeric_limits<double>::infinity();
  constexpr double kErrorOfMedian = 1.2533;  // sqrt(pi / 2)
  return kErrorOfMedian * relative_spread(repetitions) / std::sqrt(static_cast<double>(repetitions.size()));
}

bool measured_enough(const StoppingRule& rule, std::span<const double> repetitions) {
  const auto count = static_cast<int>(repetitions.size());
  if (count < rule.min_repetitions) return false;
  return count >= rule.max_repetitions || error_of_median(repetitions) <= rule.target_error;
}

}  // namespace dtbench
