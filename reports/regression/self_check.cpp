#include "reports/regression/self_check.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "reports/quantity_text.h"
#include "reports/regression/evidence.h"
#include "reports/regression/judgement.h"
#include "reports/regression/power.h"
#include "reports/statistics.h"
#include "reports/value_json.h"
#include "topologies/base/units.h"

namespace dtbench {

namespace {

constexpr std::array<std::size_t, 5> kRepetitions = {5, 9, 15, 30, 60};
constexpr std::array<double, 9> kThresholds = {0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3};
constexpr std::size_t kFewestWindows = 4;  // not overlapping

Verdict verdict_of(const MetricSamples& base, const MetricSamples& changed, bool in_turns, const GateRule& rule) {
  Evidence evidence = evidence_of(base, changed, rule);
  if (in_turns) evidence.drift_p_value = 1;
  return judge(evidence, {.threshold = rule.threshold, .adjusted_p = evidence.p_value}, rule).verdict;
}

struct Sides {
  MetricSamples base, changed;
};

// Turns are taken A B B A, as --ab does.
Sides cut(std::span<const double> window, bool in_turns) {
  Sides sides;
  for (std::size_t i = 0; i < window.size(); ++i) {
    const bool second = in_turns ? (i % 4 == 1 || i % 4 == 2) : i >= window.size() / 2;
    (second ? sides.changed : sides.base).repetitions.push_back(window[i]);
  }
  return sides;
}

// The rate that so many independent comparisons with this share of alarms do not exclude.
double upper_bound(double share, double independent) {
  return boost::math::binomial::find_upper_bound_on_p(independent, share * independent, 0.05);
}

SelfCheckRow check(std::span<const double> series, std::size_t repetitions, bool in_turns, double slow_down,
                   const GateRule& rule) {
  SelfCheckRow row{repetitions, in_turns};
  const std::size_t length = 2 * repetitions, step = std::max<std::size_t>(1, length / 4);
  std::size_t alarms = 0, passed = 0, found = 0;
  for (std::size_t first = 0; first + length <= series.size(); first += step) {
    Sides sides = cut(series.subspan(first, length), in_turns);
    const Verdict verdict = verdict_of(sides.base, sides.changed, in_turns, rule);
    ++row.comparisons;
    alarms += verdict == Verdict::regressed ? 1 : 0;
    passed += verdict == Verdict::pass ? 1 : 0;
    for (double& value : sides.changed.repetitions) value *= 1 + slow_down;
    found += verdict_of(sides.base, sides.changed, in_turns, rule) == Verdict::regressed ? 1 : 0;
  }
  const auto share = [&row](std::size_t count) {
    return static_cast<double>(count) / static_cast<double>(row.comparisons);
  };
  row.false_alarms = share(alarms);
  row.false_alarms_bound = upper_bound(row.false_alarms, static_cast<double>(series.size() / length));
  row.passed = share(passed);
  row.found = share(found);
  return row;
}

// Levels of groups that follow each other, and what remains of the values without them.
void measure_noise(std::span<const double> series, SelfCheckReport& report) {
  std::vector<double> levels, residuals;
  for (std::size_t first = 0; first + kRecommendedRepetitions <= series.size(); first += kRecommendedRepetitions) {
    std::vector<double> logs;
    for (const double value : series.subspan(first, kRecommendedRepetitions)) logs.push_back(std::log(value));
    levels.push_back(median(logs));
    for (const double log : logs) residuals.push_back(log - levels.back());
  }
  // The MAD about the median of nine is so much smaller than about the true level (normal noise, simulated).
  constexpr double kRemaining = 0.862;
  report.noise = relative_noise(residuals, residuals) / kRemaining;
  report.wander = relative_noise(levels, levels);
}

double smallest_threshold(std::span<const double> series, GateRule rule) {
  for (const double threshold : kThresholds) {
    rule.threshold = threshold;
    const SelfCheckRow row = check(series, kRecommendedRepetitions, true, threshold, rule);
    if (row.comparisons > 0 && row.passed >= 0.9 && row.false_alarms <= rule.alpha) return threshold;
  }
  return 0;
}

std::size_t enough_repetitions(const SelfCheckReport& report) {
  for (const SelfCheckRow& row : report.rows)
    if (row.in_turns && row.found >= 0.95) return row.repetitions;
  return std::max(kRecommendedRepetitions,
                  repetitions_to_find(report.slow_down, report.noise, report.rule.alpha, report.rule.threshold));
}

}  // namespace

SelfCheckReport self_check(std::span<const double> series, const GateRule& asked) {
  constexpr std::size_t kShortest = 20;
  DTBENCH_CHECK(series.size() >= kShortest);
  SelfCheckReport report;
  report.rule = asked;
  report.slow_down = asked.threshold * 5 / 3;  // 5 % at 3 %
  report.turns = series.size();
  report.seconds = median(series);
  measure_noise(series, report);
  GateRule rule = asked;
  rule.resamples = 1;  // the bootstrap decides nothing
  for (const std::size_t repetitions : kRepetitions)
    for (const bool in_turns : {true, false})
      if (2 * repetitions * kFewestWindows <= series.size())
        report.rows.push_back(check(series, repetitions, in_turns, report.slow_down, rule));
  report.recommended_repetitions = enough_repetitions(report);
  report.recommended_threshold = smallest_threshold(series, rule);
  return report;
}

std::string terminal_text(const SelfCheckReport& report, const TextStyle& style) {
  TextTable table({{"n a side"},
                   {"measured", Align::left},
                   {"comparisons"},
                   {"false alarms"},
                   {"at most"},
                   {"passed"},
                   {fmt::format("{} slower found", share_text(report.slow_down))}});
  for (const SelfCheckRow& row : report.rows)
    table.add_row({{fmt::format("{}", row.repetitions)},
                   {row.in_turns ? "in turns" : "one after the other"},
                   {fmt::format("{}", row.comparisons)},
                   {share_text(row.false_alarms), row.false_alarms > report.rule.alpha ? Role::warning : Role::good},
                   {share_text(row.false_alarms_bound), Role::faint},
                   {share_text(row.passed)},
                   {share_text(row.found)}});
  std::string text =
      fmt::format("{} repetitions of {}: noise {} each, the level wanders by {}; threshold {}, alpha {}\n\n",
                  report.turns, format_seconds(report.seconds), share_text(report.noise), share_text(report.wander),
                  share_text(report.rule.threshold), share_text(report.rule.alpha));
  text += table.text(style) + "\n";
  text +=
      labelled({"recommended", Role::heading}, 14,
               fmt::format("{} repetitions a side, in turns, to find {}; {}", report.recommended_repetitions,
                           share_text(report.slow_down),
                           report.recommended_threshold > 0
                               ? fmt::format("with {} repetitions a threshold of {} or more", kRecommendedRepetitions,
                                             share_text(report.recommended_threshold))
                               : fmt::format("no threshold up to 30 % suits {} repetitions", kRecommendedRepetitions)),
               style);
  return text;
}

std::string self_check_to_json_text(const SelfCheckReport& report, const std::string& command,
                                    const std::map<std::string, std::string>& environment) {
  Json json = {{"schema", "dtbench.selfcheck/1"},
               {"command", command},
               {"environment", environment},
               {"threshold", report.rule.threshold},
               {"alpha", report.rule.alpha},
               {"slow_down", report.slow_down},
               {"repetitions", report.turns},
               {"step_seconds", result_number(report.seconds)},
               {"noise", result_number(report.noise)},
               {"wander", result_number(report.wander)},
               {"rows", Json::array()},
               {"recommended_repetitions", report.recommended_repetitions}};
  json["recommended_threshold"] = report.recommended_threshold > 0 ? Json(report.recommended_threshold) : Json();
  for (const SelfCheckRow& row : report.rows)
    json["rows"].push_back({{"repetitions", row.repetitions},
                            {"in_turns", row.in_turns},
                            {"comparisons", row.comparisons},
                            {"false_alarms", row.false_alarms},
                            {"false_alarms_bound", row.false_alarms_bound},
                            {"passed", row.passed},
                            {"found", row.found}});
  return json_text(json);
}

}  // namespace dtbench
