#include <fmt/core.h>

#include <cmath>

#include "reports/quantity_text.h"
#include "reports/terminal.h"
#include "reports/wording.h"

namespace dtbench {

namespace {

constexpr std::size_t kWorst = 10;

/// "4.1 %", also for errors beyond 100 %.
std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }
std::string signed_percent(double share) { return fmt::format("{:+.1f} %", 100 * share); }

std::string verdict_text(const ValidateResult& result) {
  const ValidateSummary& all = result.summary;
  if (all.n == 0) return "No row could be judged.";
  std::string text =
      fmt::format("Half of {} published measurements are predicted within {}, nine of ten within {}; {} of them lie in "
                  "the 90 % band.",
                  all.n, percent(all.median_abs_error), percent(all.p90_abs_error), percent(all.coverage));
  if (result.max_error)
    text += fmt::format(" {}: a median error of {} was allowed.", result.passed ? "Passed" : "Failed",
                        percent(*result.max_error));
  return text;
}

Role verdict_role(const ValidateResult& result) {
  if (!result.max_error) return Role::heading;
  return result.passed ? Role::good : Role::bad;
}

std::vector<Cell> cells_of(const ValidateSummary& summary) {
  return {{fmt::format("{}", summary.n)},
          {percent(summary.median_abs_error)},
          {percent(summary.p90_abs_error)},
          {signed_percent(summary.bias)},
          {percent(summary.coverage)},
          {fmt::format("+-{}", percent(summary.band))}};
}

TextTable summary_table(const std::string& title) {
  return TextTable({{title, Align::left}, {"n"}, {"median"}, {"90th pc."}, {"bias"}, {"in band"}, {"band"}});
}

std::string overview(const ValidateResult& result, const TextStyle& style) {
  TextTable table = summary_table("error");
  const auto add = [&table](const std::string& name, const ValidateSummary& summary) {
    std::vector<Cell> cells = cells_of(summary);
    cells.insert(cells.begin(), Cell{name});
    table.add_row(std::move(cells));
  };
  add("dtbench", result.summary);
  for (const auto& [name, summary] : result.baselines) add(name, summary);
  return table.text(style);
}

std::string breakdown(const ValidateResult& result, const TextStyle& style) {
  std::string text;
  for (auto group = result.groups.begin(); group != result.groups.end();) {
    TextTable table = summary_table("by " + group->by);
    for (const std::string by = group->by; group != result.groups.end() && group->by == by; ++group) {
      std::vector<Cell> cells = cells_of(group->summary);
      cells.insert(cells.begin(), Cell{group->name});
      table.add_row(std::move(cells));
    }
    text += "\n" + table.text(style);
  }
  return text;
}

std::string text_of(const std::map<std::string, std::string>& groups) {
  std::string text;
  for (const auto& [key, name] : groups)
    if (key != "source") text += (text.empty() ? "" : ", ") + (key == "devices" ? name + " devices" : name);
  return text;
}

std::string worst(const ValidateResult& result, const TextStyle& style) {
  TextTable table({{"worst rows", Align::left},
                   {"what", Align::left},
                   {"predicted"},
                   {"90 % band"},
                   {"measured"},
                   {"error"},
                   {"", Align::left}});
  for (const ValidateRow& row : worst_rows(result.rows, kWorst)) {
    const BandText predicted = factor_text({row.predicted, row.low, row.high});
    table.add_row({{row.id},
                   {text_of(row.groups)},
                   {predicted.value},
                   {predicted.band, Role::faint},
                   {fmt::format("{:.6g}", row.measured)},
                   {signed_percent(row.signed_error())},
                   row.inside() ? Cell{"in band", Role::good} : Cell{"out of band", Role::warning}});
  }
  return "\n" + table.text(style);
}

std::string notes(const std::string& heading, const std::vector<RowNote>& rows, const TextStyle& style) {
  std::map<std::string, std::vector<std::string>> by_reason;
  for (const RowNote& row : rows)
    by_reason[row.reason].push_back(row.id.empty() ? fmt::format("line {}", row.line) : row.id);
  std::string text;
  for (const auto& [reason, ids] : by_reason) {
    std::string names;
    for (std::size_t i = 0; i < ids.size() && i < kWorst; ++i) names += (i == 0 ? "" : ", ") + ids[i];
    if (ids.size() > kWorst) names += fmt::format(" and {} more", ids.size() - kWorst);
    text += labelled({heading, Role::heading}, kLabelWidth, fmt::format("{}: {} ({})", ids.size(), reason, names), style);
  }
  return text.empty() ? "" : "\n" + text;
}

}  // namespace

std::string terminal_text(const ValidateResult& result, const TextStyle& style) {
  const std::string how = result.cross_validate == "none"
                              ? "no row was left out of the fit; --cross-validate system says what an unseen one can expect"
                              : fmt::format("refitted without each {} in turn, and judged on that one", result.cross_validate);
  return style.paint(verdict_role(result), labelled({}, 0, verdict_text(result), style)) + "\n" +
         labelled({"data", Role::heading}, kLabelWidth, result.data, style) +
         labelled({"parameters", Role::heading}, kLabelWidth, result.parameters, style) +
         labelled({"validation", Role::heading}, kLabelWidth, how, style) + "\n" + overview(result, style) +
         breakdown(result, style) + (result.rows.empty() ? "" : worst(result, style)) + notes("skipped", result.skipped, style) + notes("assumed", result.assumed, style) + "\n" +
         timing_line(result.timing_of_dtbench, style) + summary_line(result) + "\n";
}

}  // namespace dtbench
