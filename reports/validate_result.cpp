#include "reports/validate_result.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "reports/statistics.h"

namespace dtbench {

namespace {

/// Numbers by size ("2" before "16"), everything else by name.
bool comes_before(const std::string& a, const std::string& b) {
  const bool numbers = !a.empty() && !b.empty() && a.find_first_not_of("0123456789") == std::string::npos &&
                       b.find_first_not_of("0123456789") == std::string::npos;
  return numbers && a.size() != b.size() ? a.size() < b.size() : a < b;
}

}  // namespace

ValidateSummary summary_of(const std::vector<ValidateRow>& rows) {
  if (rows.empty()) return {};
  std::vector<double> sizes, errors, widths;
  int inside = 0;
  for (const ValidateRow& row : rows) {
    errors.push_back(row.signed_error());
    sizes.push_back(std::abs(errors.back()));
    widths.push_back((row.high - row.low) / 2 / row.predicted);
    inside += row.inside();
  }
  return {median(sizes), quantile(sizes, 0.9),           median(errors), double(inside) / double(rows.size()),
          median(widths), static_cast<int>(rows.size())};
}

void summarise(ValidateResult& result) {
  result.summary = summary_of(result.rows);
  std::map<std::string, std::map<std::string, std::vector<ValidateRow>>> by;
  for (const ValidateRow& row : result.rows)
    for (const auto& [key, name] : row.groups) by[key][name].push_back(row);
  result.groups.clear();
  for (const auto& [key, names] : by) {
    const auto first = static_cast<std::ptrdiff_t>(result.groups.size());
    for (const auto& [name, rows] : names) result.groups.push_back({key, name, summary_of(rows)});
    std::sort(result.groups.begin() + first, result.groups.end(),
              [](const ValidateGroup& a, const ValidateGroup& b) { return comes_before(a.name, b.name); });
  }
  result.passed = !result.max_error || (result.summary.n > 0 && result.summary.median_abs_error <= *result.max_error);
}

std::vector<ValidateRow> worst_rows(const std::vector<ValidateRow>& rows, std::size_t most) {
  std::vector<ValidateRow> worst = rows;
  std::stable_sort(worst.begin(), worst.end(), [](const ValidateRow& a, const ValidateRow& b) {
    return std::abs(a.signed_error()) > std::abs(b.signed_error());
  });
  worst.resize(std::min(most, worst.size()));
  return worst;
}

std::string summary_line(const ValidateResult& result) {
  const ValidateSummary& all = result.summary;
  return fmt::format("median_abs_error={:.4f} p90_abs_error={:.4f} bias={:.4f} coverage={:.4f} band={:.4f} n={} skipped={}",
                     all.median_abs_error, all.p90_abs_error, all.bias, all.coverage, all.band, all.n,
                     result.skipped.size());
}

}  // namespace dtbench
