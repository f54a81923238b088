#include "reports/regression/bootstrap_ratio.h"

#include <algorithm>
#include <random>
#include <vector>

#include "topologies/base/error.h"

namespace dtbench {

namespace {

constexpr std::size_t kMostResampled = 5000;

std::vector<double> sorted_values(std::span<const double> values) {
  DTBENCH_CHECK(!values.empty());
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  if (sorted.size() <= kMostResampled) return sorted;
  std::vector<double> kept(kMostResampled);
  for (std::size_t i = 0; i < kMostResampled; ++i) kept[i] = sorted[(2 * i + 1) * sorted.size() / (2 * kMostResampled)];
  return kept;
}

double resampled_median(const std::vector<double>& values, std::vector<double>& scratch, std::mt19937_64& random) {
  std::uniform_int_distribution<std::size_t> pick(0, values.size() - 1);
  scratch.resize(values.size());
  for (double& value : scratch) value = values[pick(random)];
  const auto middle = scratch.begin() + static_cast<std::ptrdiff_t>(scratch.size() / 2);
  std::nth_element(scratch.begin(), middle, scratch.end());
  if (scratch.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(scratch.begin(), middle)) / 2;
}

}  // namespace

ConfidenceInterval bootstrap_ratio_of_medians(std::span<const double> base, std::span<const double> changed,
                                              const BootstrapOptions& options) {
  DTBENCH_CHECK(options.resamples > 0 && options.confidence > 0 && options.confidence < 1);
  const std::vector<double> a = sorted_values(base), b = sorted_values(changed);
  std::mt19937_64 random(options.seed);
  std::vector<double> ratios, scratch;
  for (int i = 0; i < options.resamples; ++i) {
    const double below = resampled_median(a, scratch, random);
    ratios.push_back(resampled_median(b, scratch, random) / below);
  }
  const double tail = (1 - options.confidence) / 2;
  return {quantile(ratios, tail), quantile(ratios, 1 - tail)};
}

}  // namespace dtbench
