#include "reports/regression/compare_samples.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "reports/quantity_text.h"
#include "reports/regression/history.h"
#include "reports/regression/holm.h"
#include "reports/regression/power.h"
#include "reports/statistics.h"
#include "topologies/base/suggest.h"

namespace dtbench {

namespace {

FileSummary summary_of(const SampleFile& file) {
  return {file.path, file.format, session_of(file.environment), revision_of(file.environment)};
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<std::string> fields_of(const SampleFile& a, const SampleFile& b) {
  std::set<std::string> names{"all"};
  for (const SampleFile* file : {&a, &b})
    for (const auto& [field, text] : file->environment) names.insert(field);
  return {names.begin(), names.end()};
}

void check_allowed(const std::vector<std::string>& allowed, const SampleFile& base, const SampleFile& changed) {
  const std::vector<std::string> fields = fields_of(base, changed);
  for (const std::string& name : allowed)
    if (!contains(fields, name))
      throw_bad_input({"--allow-different-environment", fmt::format("'{}' is in neither file", name), one_of(fields),
                       did_you_mean(name, fields)});
}

bool is_allowed(const std::vector<std::string>& allowed, const FieldDifference& difference) {
  return contains(allowed, "all") || contains(allowed, difference.field);
}

bool comparable(const Conditions& a, const Conditions& b, const std::vector<std::string>& allowed) {
  const std::vector<FieldDifference> differences = fingerprint_differences(a, b);
  return std::all_of(differences.begin(), differences.end(), [&](const auto& d) { return is_allowed(allowed, d); });
}

const MetricSamples* find_metric(const SampleFile& file, const std::string& name) {
  const auto found =
      std::find_if(file.metrics.begin(), file.metrics.end(), [&](const auto& metric) { return metric.name == name; });
  return found == file.metrics.end() ? nullptr : &*found;
}

SessionValue session_value(const MetricSamples& metric) {
  std::vector<double> logs;
  for (const double value : metric.repetitions) logs.push_back(std::log(value));
  constexpr double kErrorOfMedian = 1.2533;  // sqrt(pi / 2)
  return {median(logs), kErrorOfMedian * relative_noise(logs, logs) / std::sqrt(static_cast<double>(logs.size()))};
}

/// One comparison under way.
class Comparing {
 public:
  Comparing(const SampleFile& base, const SampleFile& changed, const CompareRequest& request)
      : base_(base), changed_(changed), request_(request) {
    report_.base = summary_of(base);
    report_.changed = summary_of(changed);
    report_.rule = request.rule;
    report_.allowed = request.allowed;
    report_.differences = fingerprint_differences(base.environment, changed.environment);
  }

  RegressionReport run() {
    check_allowed(request_.allowed, base_, changed_);
    list_left_out();
    if (refuses_conditions()) return std::move(report_);
    choose_history();
    for (const MetricSamples& metric : base_.metrics)
      if (wanted(metric.name)) compare_metric(metric);
    for (const MetricSamples& metric : changed_.metrics)
      if (wanted(metric.name) && !find_metric(base_, metric.name))
        report_.not_compared.push_back({metric.name, "only in " + changed_.path});
    conclude();
    return std::move(report_);
  }

 private:
  bool wanted(const std::string& name) const { return !request_.wanted || request_.wanted(name); }

  void remark(std::string code, std::string text) { report_.remarks.push_back({std::move(code), std::move(text)}); }

  void list_left_out() {
    for (const SampleFile* file : {&base_, &changed_})
      for (const LeftOut& left_out : file->left_out)
        if (wanted(left_out.name))
          report_.not_compared.push_back({left_out.name, fmt::format("{} ({})", left_out.reason, file->path)});
  }

  bool refuses_conditions() {
    std::string refused, accepted;
    for (const FieldDifference& d : report_.differences) {
      std::string& list = is_allowed(request_.allowed, d) ? accepted : refused;
      list += fmt::format("{}{} ('{}' against '{}')", list.empty() ? "" : ", ", d.field, d.base, d.changed);
    }
    if (!accepted.empty()) remark("ALLOWED_MISMATCH", "compared although the conditions differ in " + accepted);
    if (refused.empty()) return false;
    remark("FINGERPRINT_MISMATCH",
           "the conditions differ in " + refused + "; --allow-different-environment FIELD,... compares all the same");
    return true;
  }

  // The latest comparable sessions, then the base.
  void choose_history() {
    if (request_.history.empty()) return;
    std::size_t other = 0;
    for (const SampleFile& file : request_.history) {
      if (comparable(file.environment, changed_.environment, request_.allowed))
        sessions_.push_back(&file);
      else
        ++other;
    }
    if (sessions_.size() > request_.last)
      sessions_.erase(sessions_.begin(), sessions_.end() - static_cast<std::ptrdiff_t>(request_.last));
    sessions_.push_back(&base_);
    if (other > 0)
      remark("HISTORY_OTHER_MACHINE", fmt::format("{} files of the history were made under other conditions", other));
  }

  double threshold_of(MetricKind kind) const {
    return kind == MetricKind::ratio ? request_.rule.ratio_threshold : request_.rule.threshold;
  }

  void compare_metric(const MetricSamples& metric) {
    const MetricSamples* changed = find_metric(changed_, metric.name);
    if (!changed) return report_.not_compared.push_back({metric.name, "only in " + base_.path});
    if (changed->unit != metric.unit || changed->better != metric.better)
      return report_.not_compared.push_back(
          {metric.name, fmt::format("unit '{}' against '{}', or another direction", metric.unit, changed->unit)});
    MetricReport report{metric.name,
                        metric.unit,
                        metric.better,
                        metric.kind,
                        threshold_of(metric.kind),
                        evidence_of(metric, *changed, request_.rule)};
    if (request_.in_turns) report.evidence.drift_p_value = 1;  // both sides drift alike
    judge_by_sessions(report, *changed);
    report_.metrics.push_back(std::move(report));
  }

  // Earlier sessions say how much one differs from another; with enough of them they replace the test on repetitions.
  void judge_by_sessions(MetricReport& report, const MetricSamples& changed) {
    std::vector<SessionValue> values;
    std::vector<const SampleFile*> files;
    for (const SampleFile* file : sessions_)
      if (const MetricSamples* metric = find_metric(*file, report.name)) {
        values.push_back(session_value(*metric));
        files.push_back(file);
      }
    if (sessions_.empty()) return;
    if (values.size() < kLeastSessions)
      return remark("HISTORY_TOO_SHORT", fmt::format("HISTORY_TOO_SHORT ({} < {}): {} is compared with {} alone",
                                                     values.size(), kLeastSessions, report.name, base_.path));
    const Baseline baseline = pool_sessions(values, report.threshold, request_.rule);
    use(baseline, files, session_value(changed).log_median, report);
    say(baseline, files, report);
  }

  void use(const Baseline& baseline, const std::vector<const SampleFile*>& files, double log_median,
           MetricReport& report) {
    const SessionTest test = test_session(log_median, baseline, request_.rule.confidence);
    Evidence& evidence = report.evidence;
    evidence.p_value = test.p_value;
    evidence.shift = test.shift;
    evidence.shift_low = test.low;
    evidence.shift_high = test.high;
    evidence.error = test.error;
    evidence.drift_p_value = 1;  // every session drifts alike
    report.sessions = SessionEvidence{baseline.sessions,
                                      std::exp(baseline.centre),
                                      baseline.spread,
                                      session_gate(baseline, report.threshold, request_.rule.alpha),
                                      {},
                                      std::nullopt,
                                      std::expm1(baseline.step)};
    for (const std::size_t index : baseline.set_aside) report.sessions->set_aside.push_back(files[index]->path);
    if (baseline.first_of_level > 0) report.sessions->step_at = files[baseline.first_of_level]->path;
  }

  void say(const Baseline& baseline, const std::vector<const SampleFile*>& files, const MetricReport& report) {
    for (const std::size_t index : baseline.set_aside)
      remark("HISTORY_OUTLIER",
             fmt::format("{}: {} is unlike the other sessions and set aside", report.name, files[index]->path));
    if (baseline.first_of_level > 0)
      remark("HISTORY_STEP",
             fmt::format("{}: the level changed by {:+.1f} % at {} (p = {:.2g}); the baseline is what came after",
                         report.name, 100 * std::expm1(baseline.step), files[baseline.first_of_level]->path,
                         baseline.step_p_value));
    if (baseline.trend_p_value <= request_.rule.drift_alpha)
      remark("HISTORY_DRIFT", fmt::format("{}: drifts by {:+.1f} % over {} sessions (p = {:.2g})", report.name,
                                          100 * std::expm1(baseline.trend), baseline.sessions, baseline.trend_p_value));
  }

  bool same_code() const {
    const FileSummary &a = report_.base, &b = report_.changed;
    return !request_.in_turns && !a.revision.empty() && a.revision == b.revision && !a.session.empty() &&
           !b.session.empty() && a.session != b.session;
  }

  void conclude() {
    std::vector<double> p_values;
    for (const MetricReport& metric : report_.metrics) p_values.push_back(metric.evidence.p_value);
    const std::vector<double> adjusted = holm_adjusted(p_values);
    std::vector<Verdict> verdicts;
    for (std::size_t i = 0; i < adjusted.size(); ++i) {
      MetricReport& metric = report_.metrics[i];
      metric.adjusted_p = adjusted[i];
      metric.minimum_detectable_change =
          minimum_detectable_change(metric.evidence.error, request_.rule.alpha, metric.threshold);
      metric.judgement = judge(metric.evidence, question_of(metric), request_.rule);
      verdicts.push_back(metric.judgement.verdict);
    }
    report_.verdict = overall_verdict(verdicts);
    if (verdicts.empty()) remark("NOTHING_IN_COMMON", "no metric is in both files");
    mention_sessions();
  }

  JudgementRequest question_of(const MetricReport& metric) const {
    return {metric.better,
            metric.threshold,
            metric.adjusted_p,
            !metric.sessions && same_code(),
            metric.sessions ? metric.sessions->sessions : 0,
            request_.sessions_required && !request_.in_turns};
  }

  // A difference between two sessions is not yet one between two versions.
  void mention_sessions() {
    const bool by_sessions_alone = std::any_of(report_.metrics.begin(), report_.metrics.end(), [](const auto& metric) {
      return !metric.sessions && (metric.judgement.code == "WORSE" || metric.judgement.code == "BETTER");
    });
    const bool one_session = !report_.base.session.empty() && report_.base.session == report_.changed.session;
    if (by_sessions_alone && !request_.in_turns && !one_session)
      remark(
          "ONE_SESSION_EACH",
          "each side is one session, whose repetitions share what was peculiar to its hour: where sessions differ by "
          "more than the threshold, measure in turns (--ab), give --history, or make this inconclusive "
          "(--require-sessions)");
  }

  const SampleFile &base_, &changed_;
  const CompareRequest& request_;
  std::vector<const SampleFile*> sessions_;
  RegressionReport report_;
};

}  // namespace

RegressionReport compare_samples(const SampleFile& base, const SampleFile& changed, const CompareRequest& request) {
  return Comparing(base, changed, request).run();
}

void sort_by_time(std::vector<SampleFile>& files) {
  const bool dated = std::none_of(files.begin(), files.end(),
                                  [](const SampleFile& file) { return session_of(file.environment).empty(); });
  std::sort(files.begin(), files.end(), [dated](const SampleFile& a, const SampleFile& b) {
    const std::string left = dated ? session_of(a.environment) : "", right = dated ? session_of(b.environment) : "";
    return left != right ? left < right : a.path < b.path;
  });
}

}  // namespace dtbench
