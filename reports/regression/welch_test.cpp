#include "reports/regression/welch_test.h"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>

#include "topologies/base/error.h"

namespace dtbench {

namespace {

struct Moments {
  double mean = 0, variance_of_mean = 0, freedom = 0;
};

Moments moments_of(std::span<const double> values) {
  DTBENCH_CHECK(values.size() >= 2);
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.) / n;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, squares / (n - 1) / n, n - 1};
}

}  // namespace

double welch_p_value(std::span<const double> base, std::span<const double> changed) {
  const Moments a = moments_of(base), b = moments_of(changed);
  const double variance = a.variance_of_mean + b.variance_of_mean, difference = std::abs(a.mean - b.mean);
  if (variance <= 0) return difference > 0 ? 0 : 1;
  const double freedom =
      variance * variance /
      (a.variance_of_mean * a.variance_of_mean / a.freedom + b.variance_of_mean * b.variance_of_mean / b.freedom);
  if (!std::isfinite(freedom)) return difference > 0 ? 0 : 1;  // a spread too small to square
  return 2 * cdf(complement(boost::math::students_t(freedom), difference / std::sqrt(variance)));
}

}  // namespace dtbench
