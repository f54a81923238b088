// How wide a band must be, told by what was left out: errors are shared inside a group (a machine, a laboratory), so
// that pooled residuals promise too much for a group that was never seen.
#pragma once

#include <string>
#include <vector>

namespace dtbench {

/// One prediction of something that was left out of the fit.
struct GroupResidual {
  std::string group;
  double size = 0;  ///< |error| / standard deviation that was predicted for it
};

/// The factor on predicted standard deviations that makes a band of `probability`: in each group the size that this
/// share of its residuals stays below, and of these the quantile `of_groups`. 0 for no residuals.
double group_band_factor(const std::vector<GroupResidual>& residuals, double probability, double of_groups);

}  // namespace dtbench
