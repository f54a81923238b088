#include "reports/statistics.h"

#include <algorithm>
#include <boost/math/statistics/univariate_statistics.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "topologies/base/error.h"

namespace dtbench {

namespace {


std::vector<double> copy_of(std::span<const double> values) {
  DTBENCH_CHECK(!values.empty());
  return {values.begin(), values.end()};
}

double sorted_quantile(const std::vector<double>& sorted, double probability) {
  const double position = probability * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], position - static_cast<double>(below));
}

}  // namespace

double median(std::span<const double> values) {
  std::vector<double> scratch = copy_of(values);
  return boost::math::statistics::median(scratch);
}

double quantile(std::span<const double> values, double probability) {
  DTBENCH_CHECK(probability >= 0 && probability <= 1);
  std::vector<double> sorted = copy_of(values);
  std::sort(sorted.begin(), sorted.end());
  return sorted_quantile(sorted, probability);
}

double median_absolute_deviation(std::span<const double> values) {
  // Boost 1.74 has this function too, but returns the middle value instead of its deviation.
  const double centre = median(values);
  std::vector<double> deviations = copy_of(values);
  for (double& value : deviations) value = std::abs(value - centre);
  return median(deviations);
}

double relative_spread(std::span<const double> values) {
  const double centre = median(values);
  DTBENCH_CHECK(centre != 0);
  return values.size() < 3 ? 0 : kNormalPerMad * median_absolute_deviation(values) / std::abs(centre);
}

ConfidenceInterval bootstrap_median(std::span<const double> values, const BootstrapOptions& options) {
  DTBENCH_CHECK(!values.empty() && options.resamples > 0 && options.confidence > 0 && options.confidence < 1);
  std::mt19937_64 random(options.seed);
  std::uniform_int_distribution<std::size_t> pick(0, values.size() - 1);
  std::vector<double> medians(static_cast<std::size_t>(options.resamples)), resample(values.size());
  for (double& resampled : medians) {
    for (double& value : resample) value = values[pick(random)];
    resampled = boost::math::statistics::median(resample);
  }
  std::sort(medians.begin(), medians.end());
  const double tail = (1 - options.confidence) / 2;
  return {sorted_quantile(medians, tail), sorted_quantile(medians, 1 - tail)};
}

}  // namespace dtbench
