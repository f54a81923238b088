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

VerifySummary summary_of(std::span<const VerifyRow> rows) {
  DTBENCH_CHECK(!rows.empty());
  std::vector<Comparison> comparisons;
  for (const VerifyRow& row : rows) comparisons.push_back(compare(row.predicted, row.measured));
  const std::vector<double> errors = abs_errors(comparisons);
  const auto inside = std::count_if(comparisons.begin(), comparisons.end(), [](const auto& c) { return c.inside; });
  return {median(errors), *std::max_element(errors.begin(), errors.end()),
          static_cast<double>(inside) / static_cast<double>(rows.size()), rows.size(),
          static_cast<std::size_t>(inside)};
}

std::vector<VerifyGroup> grouped(const VerifyResult& result) {
  std::vector<VerifyGroup> groups;
  for (const VerifyRow& row : result.rows) {
    const auto same = [&](const VerifyGroup& group) {
      return group.model == row.model && group.precision == row.precision;
    };
    auto group = std::find_if(groups.begin(), groups.end(), same);
    if (group == groups.end()) group = groups.insert(groups.end(), {row.model, row.precision, {}});
    group->rows.push_back(row);
  }
  return groups;
}

MachineChange machine_change(std::span<const VerifyControl> controls) {
  DTBENCH_CHECK(!controls.empty());
  std::vector<double> factors, errors;
  for (const VerifyControl& control : controls) {
    factors.push_back(control.measured_seconds / control.calibrated_seconds);
    errors.push_back(std::abs(factors.back() - 1));
  }
  const auto [low, high] = std::minmax_element(factors.begin(), factors.end());
  return {median(factors), *low, *high, median(errors)};
}

void summarise(VerifyResult& result) {
  for (VerifyRow& row : result.rows) row.ratio = compare(row.predicted, row.measured).ratio;
  const VerifySummary summary = summary_of(result.rows);
  result.median_abs_error = summary.median_abs_error;
  result.worst_abs_error = summary.worst_abs_error;
  result.coverage = summary.coverage;
  const double factor = result.controls.empty() ? 1 : machine_change(result.controls).factor;
  std::vector<double> errors;
  for (const VerifyRow& row : result.rows) errors.push_back(std::abs(row.ratio * factor - 1));
  result.median_abs_error_beside_controls = median(errors);
  result.passed = result.median_abs_error <= result.tolerance;
}

Measured measured_from(std::vector<double> repetitions) {
  const double value = median(repetitions);
  return {value, std::move(repetitions)};
}

}  // namespace dtbench
