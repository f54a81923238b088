#include "reports/regression/report_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "reports/markdown_escape.h"
#include "reports/quantity_text.h"
#include "topologies/base/units.h"

namespace dtbench {

namespace {

std::string value_text(double value, const std::string& unit) {
  if (unit == "s") return format_seconds(value);
  return unit.empty() ? fmt::format("{:.4g}", value) : fmt::format("{:.4g} {}", value, unit);
}

std::string change_text(double log_shift) {
  return std::isfinite(log_shift) ? fmt::format("{:+.1f} %", 100 * std::expm1(log_shift)) : "?";
}

// "-0.5..+0.8 %"
std::string interval_text(double log_low, double log_high) {
  if (!std::isfinite(log_low) || !std::isfinite(log_high)) return "?";
  return fmt::format("{:+.1f}..{:+.1f} %", 100 * std::expm1(log_low), 100 * std::expm1(log_high));
}

Role role_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      return Role::plain;
    case Verdict::improved:
      return Role::good;
    case Verdict::regressed:
      return Role::bad;
    default:
      return Role::warning;
  }
}

// Metrics that ask for attention come first; otherwise the order of the file.
std::vector<const MetricReport*> by_urgency(const RegressionReport& report) {
  std::vector<const MetricReport*> sorted;
  for (const Verdict verdict : {Verdict::regressed, Verdict::inconclusive, Verdict::improved, Verdict::pass})
    for (const MetricReport& metric : report.metrics)
      if (metric.judgement.verdict == verdict) sorted.push_back(&metric);
  return sorted;
}

std::string side_text(const FileSummary& file) {
  std::string text = fmt::format("{} ({}", file.path, file.format);
  if (!file.session.empty()) text += ", " + file.session;
  if (!file.revision.empty()) text += ", revision " + file.revision;
  return text + ")";
}

std::string rule_text(const RegressionReport& report) {
  const GateRule& rule = report.rule;
  return fmt::format(
      "threshold {} ({} for ratios), false alarms at most {} for all {} metrics together (Holm), {} % "
      "intervals, seed {}",
      share_text(rule.threshold), share_text(rule.ratio_threshold), share_text(rule.alpha), report.metrics.size(),
      std::lround(100 * rule.confidence), rule.seed);
}

std::string metric_table(const RegressionReport& report, const TextStyle& style) {
  TextTable table({{"metric", Align::left},
                   {"base"},
                   {"new"},
                   {"change"},
                   {"interval"},
                   {"p"},
                   {"n"},
                   {"noise"},
                   {"finds from"},
                   {"verdict", Align::left}});
  for (const MetricReport* metric : by_urgency(report)) {
    const MetricTexts texts = texts_of(*metric);
    const Verdict verdict = metric->judgement.verdict;
    table.add_row({{metric->name},
                   {texts.base},
                   {texts.changed},
                   {texts.change},
                   {texts.interval, Role::faint},
                   {texts.p_value},
                   {texts.repetitions},
                   {texts.noise},
                   {texts.detectable},
                   {std::string(name_of(verdict)), role_of(verdict)}});
  }
  return table.text(style);
}

// What is said of metrics that need attention; those of which the same is said share it.
struct Said {
  Verdict verdict;
  std::vector<std::string> names;
  std::string text;
};

std::vector<Said> attention(const RegressionReport& report) {
  std::vector<Said> lines;
  for (const MetricReport* metric : by_urgency(report)) {
    const Judgement& judgement = metric->judgement;
    if (judgement.verdict == Verdict::pass) continue;
    const auto same = [&](const Said& said) {
      return said.text == judgement.text && said.verdict == judgement.verdict;
    };
    auto said = std::find_if(lines.begin(), lines.end(), same);
    if (said == lines.end()) said = lines.insert(said, {judgement.verdict, {}, judgement.text});
    said->names.push_back(metric->name);
  }
  return lines;
}

std::string names_text(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i) text += (i > 0 ? ", " : "") + names[i];
  return names.size() > kMost ? fmt::format("{} and {} more", text, names.size() - kMost) : text;
}

std::string symbol_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      return "pass";
    case Verdict::improved:
      return "**improved**";
    case Verdict::regressed:
      return "**REGRESSED**";
    default:
      return fmt::format("*{}*", name_of(verdict));
  }
}

}  // namespace

MetricTexts texts_of(const MetricReport& metric) {
  const Evidence& e = metric.evidence;
  MetricTexts texts;
  texts.base = value_text(metric.sessions ? metric.sessions->centre : e.base_median, metric.unit);
  texts.changed = value_text(e.changed_median, metric.unit);
  texts.change = change_text(e.shift);
  texts.interval = interval_text(e.shift_low, e.shift_high);
  texts.p_value = fmt::format("{:.2g}", metric.adjusted_p);
  texts.repetitions = metric.sessions ? fmt::format("{} sessions", metric.sessions->sessions)
                                      : fmt::format("{}+{}", e.base_repetitions, e.changed_repetitions);
  texts.noise = share_text(metric.sessions ? metric.sessions->spread : e.noise);
  texts.detectable = share_text(metric.minimum_detectable_change);
  return texts;
}

std::string headline_of(const RegressionReport& report) {
  const std::string verdict(name_of(report.verdict));
  if (report.verdict == Verdict::incomparable)
    return verdict + ": " + (report.remarks.empty() ? "nothing to compare" : report.remarks.back().text);
  std::string text = verdict + ":";
  for (const Verdict each : {Verdict::regressed, Verdict::inconclusive, Verdict::improved, Verdict::pass})
    if (const std::size_t count = count_of(report, each); count > 0)
      text += fmt::format("{} {} {}", text.ends_with(':') ? "" : ",", count, name_of(each));
  text += fmt::format(" of {} metric{}", report.metrics.size(), report.metrics.size() == 1 ? "" : "s");
  return report.allowed.empty() || report.differences.empty() ? text : text + " (across different conditions)";
}

std::string terminal_text(const RegressionReport& report, const TextStyle& style) {
  constexpr std::size_t kLabel = 12;
  const Role role = report.verdict == Verdict::pass ? Role::good : role_of(report.verdict);
  std::string text = style.paint(role, headline_of(report)) + "\n\n";
  text += labelled({"base", Role::heading}, kLabel, side_text(report.base), style);
  text += labelled({"new", Role::heading}, kLabel, side_text(report.changed), style);
  text += labelled({"rule", Role::heading}, kLabel, rule_text(report), style);
  if (!report.metrics.empty()) text += "\n" + metric_table(report, style) + "\n";
  for (const Said& said : attention(report))
    text += labelled({std::string(name_of(said.verdict)), role_of(said.verdict)}, 14,
                     names_text(said.names) + ": " + said.text, style);
  for (const LeftOut& left_out : report.not_compared)
    text += labelled({"not compared", Role::faint}, 14, left_out.name + ": " + left_out.reason, style);
  for (const Remark& remark : report.remarks)
    text += labelled({"note", Role::warning}, 14, fmt::format("{} [{}]", remark.text, remark.code), style);
  return text;
}

std::string markdown_text(const RegressionReport& report) {
  std::string text =
      fmt::format("**{}**\n\n- base: {}\n- new: {}\n- rule: {}\n", markdown_escaped(headline_of(report)),
                  markdown_escaped(side_text(report.base)), markdown_escaped(side_text(report.changed)), markdown_escaped(rule_text(report)));
  if (!report.metrics.empty()) {
    text +=
        "\n| metric | base | new | change | interval | p | n | verdict |\n|:---|---:|---:|---:|---:|---:|---:|:---|\n";
    for (const MetricReport* metric : by_urgency(report)) {
      const MetricTexts texts = texts_of(*metric);
      text += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n", markdown_escaped(metric->name), markdown_escaped(texts.base),
                          markdown_escaped(texts.changed), texts.change, texts.interval, texts.p_value, texts.repetitions,
                          symbol_of(metric->judgement.verdict));
    }
  }
  text += "\n";
  for (const Said& said : attention(report))
    text += fmt::format("- {} {}: {}\n", symbol_of(said.verdict), markdown_escaped(names_text(said.names)), markdown_escaped(said.text));
  for (const LeftOut& left_out : report.not_compared)
    text += fmt::format("- not compared: {}: {}\n", markdown_escaped(left_out.name), markdown_escaped(left_out.reason));
  for (const Remark& remark : report.remarks)
    text += fmt::format("- note ({}): {}\n", markdown_escaped(remark.code), markdown_escaped(remark.text));
  return text;
}

}  // namespace dtbench
