// One number of several steps.
#pragma once

#include <vector>

#include "engine/plan/step_trace.h"
#include "reports/statistics.h"

namespace dtbench {

/// Median of `quantity(trace)` over the traces, at least one.
template <typename Quantity>
double median_over(const std::vector<StepTrace>& traces, Quantity quantity) {
  std::vector<double> values;
  for (const StepTrace& trace : traces) values.push_back(quantity(trace));
  return median(values);
}

}  // namespace dtbench
