#include "reports/regression/power.h"

#include <algorithm>
#include <array>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <vector>

#include "reports/statistics.h"
#include "topologies/base/error.h"

namespace dtbench {

namespace {

constexpr double kPower = 0.95;
constexpr double kEfficiencyOfShift = 0.955;  // Hodges and Lehmann's estimate against the mean, normal noise: 3 / pi
constexpr double kMostRepetitions = 1e6;
constexpr double kLargestLogNoise = 100;  // noise without bounds

double normal_quantile(double probability) { return boost::math::quantile(boost::math::normal(), probability); }

double small_sample_factor(std::size_t n) {
  constexpr std::array<double, 8> kFactors = {1.196, 1.495, 1.363, 1.206, 1.200, 1.140, 1.129, 1.107};  // n = 2..9
  if (n < 2) return 1;
  if (n < 2 + kFactors.size()) return kFactors[n - 2];
  return static_cast<double>(n) / (static_cast<double>(n) - 0.8);
}

double variance_of(std::span<const double> logs) {
  const double spread = kNormalPerMad * small_sample_factor(logs.size()) * median_absolute_deviation(logs);
  return spread * spread;
}

std::size_t repetitions_for(double error, double noise) {
  const double count = std::ceil(2 * noise * noise / (kEfficiencyOfShift * error * error));
  return static_cast<std::size_t>(std::clamp(count, static_cast<double>(kLeastRepetitions), kMostRepetitions));
}

}  // namespace

double relative_noise(std::span<const double> base_logs, std::span<const double> changed_logs) {
  DTBENCH_CHECK(!base_logs.empty() && !changed_logs.empty());
  const auto n = static_cast<double>(base_logs.size()), m = static_cast<double>(changed_logs.size());
  return std::sqrt((n * variance_of(base_logs) + m * variance_of(changed_logs)) / (n + m));
}

double error_of_shift(double noise, std::size_t base, std::size_t changed) {
  const double each = 1 / static_cast<double>(base) + 1 / static_cast<double>(changed);
  return noise * std::sqrt(each / kEfficiencyOfShift);
}

double minimum_detectable_change(double error, double alpha, double threshold) {
  const double over_threshold = std::log1p(threshold) + normal_quantile(kPower) * error;
  const double significant = (normal_quantile(1 - alpha / 2) + normal_quantile(kPower)) * error;
  return std::expm1(std::min(std::max(over_threshold, significant), kLargestLogNoise));
}

std::size_t repetitions_to_find(double change, double noise, double alpha, double threshold) {
  DTBENCH_CHECK(change > threshold);
  const double over_threshold = (std::log1p(change) - std::log1p(threshold)) / normal_quantile(kPower);
  const double significant = std::log1p(change) / (normal_quantile(1 - alpha / 2) + normal_quantile(kPower));
  return repetitions_for(std::min(over_threshold, significant), noise);
}

std::size_t repetitions_to_pass(double noise, double confidence, double threshold) {
  const double tail = (1 - confidence) / 2;
  return repetitions_for(std::log1p(threshold) / (normal_quantile(1 - tail) + normal_quantile(kPower)), noise);
}

}  // namespace dtbench
