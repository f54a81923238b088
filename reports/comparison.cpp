#include "reports/comparison.h"

#include <algorithm>
#include <cmath>

#include "reports/statistics.h"
#include "reports/verify_result.h"
#include "topologies/base/error.h"

namespace dtbench {

namespace {

std::vector<double> abs_errors(std::span<const Comparison> comparisons) {
  std::vector<double> errors;
  for (const Comparison& comparison : comparisons) errors.push_back(comparison.abs_error);
  return errors;
}

}  // namespace

Comparison compare(const Predicted& predicted, const Measured& measured) {
  DTBENCH_CHECK(measured.value > 0);
  return {predicted.value / measured.value, std::abs(predicted.value - measured.value) / measured.value,
          measured.value >= predicted.low && measured.value <= predicted.high};
}

std::vector<Comparison> compare_step_seconds(std::span<const Point> points) {
  std::vector<Comparison> comparisons;
  for (const Point& point : points)
    if (point.step_seconds.predicted && point.step_seconds.measured)
      comparisons.push_back(compare(*point.step_seconds.predicted, *point.step_seconds.measured));
  return comparisons;
}

void summarise(ClosedLoop& loop) {
  const std::vector<double> errors = abs_errors(compare_step_seconds(loop.points));
  loop.median_abs_error = errors.empty() ? std::nullopt : std::optional(median(errors));
  if (!errors.empty()) loop.reason.clear();
}

void summarise(VerifyResult& result) {
  DTBENCH_CHECK(!result.rows.empty());
  std::vector<Comparison> comparisons;
  for (VerifyRow& row : result.rows) {
    comparisons.push_back(compare(row.predicted, row.measured));
    row.ratio = comparisons.back().ratio;
  }
  const std::vector<double> errors = abs_errors(comparisons);
  const auto inside = std::count_if(comparisons.begin(), comparisons.end(), [](const auto& c) { return c.inside; });
  result.median_abs_error = median(errors);
  result.worst_abs_error = *std::max_element(errors.begin(), errors.end());
  result.coverage = static_cast<double>(inside) / static_cast<double>(comparisons.size());
  result.passed = result.median_abs_error <= result.tolerance;
}

Measured measured_from(std::vector<double> repetitions) {
  const double value = median(repetitions);
  return {value, std::move(repetitions)};
}

}  // namespace dtbench
