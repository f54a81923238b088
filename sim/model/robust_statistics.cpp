#include "sim/model/robust_statistics.h"

#include <algorithm>
#include <cmath>

#include "topologies/base/error.h"

namespace dtbench {

double median(std::vector<double> values) {
  DTBENCH_CHECK(!values.empty());
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double weighted_median(std::vector<Weighted> values) {
  DTBENCH_CHECK(!values.empty());
  std::sort(values.begin(), values.end(), [](const Weighted& a, const Weighted& b) { return a.value < b.value; });
  double total = 0, seen = 0;
  for (const Weighted& entry : values) total += entry.weight;
  for (const Weighted& entry : values)
    if ((seen += entry.weight) >= total / 2) return entry.value;
  return values.back().value;
}

double robust_sd(std::vector<double> errors) {
  constexpr double kMedianToSd = 1.4826;
  for (double& error : errors) error = std::abs(error);
  return kMedianToSd * median(std::move(errors));
}

double quantile(std::vector<double> values, double q) {
  DTBENCH_CHECK(!values.empty());
  const std::size_t rank = std::min(values.size() - 1, std::size_t(q * double(values.size())));
  std::nth_element(values.begin(), values.begin() + std::ptrdiff_t(rank), values.end());
  return values[rank];
}

}  // namespace dtbench
