#include "reports/regression/compare_json.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "reports/value_json.h"

namespace dtbench {

namespace {

// A change may be negative, and an end of its interval may be unknown.
Json change_of(double log_shift) { return std::isfinite(log_shift) ? Json(std::expm1(log_shift)) : Json(); }

Json json_of(const FileSummary& file) {
  return {{"path", file.path},
          {"format", file.format},
          {"session", text_or_null(file.session)},
          {"revision", text_or_null(file.revision)}};
}

Json json_of(const GateRule& rule) {
  return {{"threshold", rule.threshold},
          {"ratio_threshold", rule.ratio_threshold},
          {"alpha", rule.alpha},
          {"confidence", rule.confidence},
          {"multiplicity", "holm"},
          {"drift_alpha", rule.drift_alpha},
          {"resamples", rule.resamples},
          {"seed", rule.seed},
          {"least_repetitions", kLeastRepetitions}};
}

Json json_of(const SessionEvidence& sessions) {
  return {{"sessions", sessions.sessions},
          {"centre", result_number(sessions.centre)},
          {"spread", result_number(sessions.spread)},
          {"gate", result_number(sessions.gate)},
          {"set_aside", sessions.set_aside},
          {"step_at", sessions.step_at ? Json(*sessions.step_at) : Json()},
          {"step", sessions.step}};
}

Json json_of(const MetricReport& metric) {
  const Evidence& e = metric.evidence;
  Json json = {
      {"name", metric.name},
      {"unit", metric.unit},
      {"better", metric.better == Better::lower ? "lower" : "higher"},
      {"kind", metric.kind == MetricKind::ratio ? "ratio" : "absolute"},
      {"verdict", name_of(metric.judgement.verdict)},
      {"code", metric.judgement.code},
      {"text", metric.judgement.text},
      {"base", {{"median", result_number(e.base_median)}, {"repetitions", e.base_repetitions}}},
      {"changed", {{"median", result_number(e.changed_median)}, {"repetitions", e.changed_repetitions}}},
      {"change", {{"value", change_of(e.shift)}, {"low", change_of(e.shift_low)}, {"high", change_of(e.shift_high)}}},
      {"ratio_of_medians",
       {{"value", e.changed_median / e.base_median},
        {"low", e.ratio_of_medians.low},
        {"high", e.ratio_of_medians.high}}},
      {"p_value", e.p_value},
      {"adjusted_p_value", metric.adjusted_p},
      {"rank_test",
       {{"u", e.rank.u}, {"p_value", e.rank.p_value}, {"superior", e.rank.superior}, {"exact", e.rank.exact}}},
      {"threshold", metric.threshold},
      {"noise", result_number(e.noise)},
      {"minimum_detectable_change", result_number(metric.minimum_detectable_change)},
      {"drift", {{"p_value", e.drift_p_value}, {"change", change_of(e.drift)}}}};
  json["needed_repetitions"] =
      metric.judgement.needed_repetitions ? Json(*metric.judgement.needed_repetitions) : Json();
  json["sessions"] = metric.sessions ? json_of(*metric.sessions) : Json();
  return json;
}

}  // namespace

std::string regression_report_to_json_text(const RegressionReport& report, const std::string& command) {
  Json json = {{"schema", "dtbench.compare/1"},      {"command", command},
               {"verdict", name_of(report.verdict)}, {"exit_status", static_cast<int>(exit_code_of(report.verdict))},
               {"base", json_of(report.base)},       {"changed", json_of(report.changed)},
               {"rule", json_of(report.rule)},       {"differences", Json::array()},
               {"allowed", report.allowed},          {"metrics", Json::array()},
               {"not_compared", Json::array()},      {"remarks", Json::array()}};
  for (const FieldDifference& d : report.differences)
    json["differences"].push_back({{"field", d.field}, {"base", d.base}, {"changed", d.changed}});
  for (const MetricReport& metric : report.metrics) json["metrics"].push_back(json_of(metric));
  for (const LeftOut& left_out : report.not_compared)
    json["not_compared"].push_back({{"name", left_out.name}, {"reason", left_out.reason}});
  for (const Remark& remark : report.remarks) json["remarks"].push_back({{"code", remark.code}, {"text", remark.text}});
  return json_text(json);
}

}  // namespace dtbench
