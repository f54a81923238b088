// Several tests, one alarm: Holm's step-down adjustment of p-values.
//
// Any single false alarm fails the build, so what has to stay below alpha is the chance of one false alarm or more
// among all metrics (the family-wise error). Holm bounds exactly that whatever the dependence between the metrics;
// Benjamini and Hochberg bound the share of false alarms among the alarms, which suits a screening, not a gate.
#pragma once

#include <span>
#include <vector>

namespace dtbench {

/// Adjusted p-values in the order given; compare each with alpha itself.
std::vector<double> holm_adjusted(std::span<const double> p_values);

}  // namespace dtbench
