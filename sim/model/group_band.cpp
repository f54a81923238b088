#include "sim/model/group_band.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace dtbench {

namespace {

/// By linear interpolation of the order statistics.
double quantile_of(std::vector<double> values, double probability) {
  std::sort(values.begin(), values.end());
  const double position = probability * double(values.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  return std::lerp(values[below], values[std::min(below + 1, values.size() - 1)], position - double(below));
}

}  // namespace

double group_band_factor(const std::vector<GroupResidual>& residuals, double probability, double of_groups) {
  std::map<std::string, std::vector<double>> sizes;
  for (const GroupResidual& residual : residuals) sizes[residual.group].push_back(residual.size);
  if (sizes.empty()) return 0;
  std::vector<double> factors;
  for (const auto& [group, of_group] : sizes) factors.push_back(quantile_of(of_group, probability));
  return quantile_of(std::move(factors), of_groups);
}

}  // namespace dtbench
