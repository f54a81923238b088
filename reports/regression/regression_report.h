// The result of `dtbench compare` as a value (`dtbench.compare/1`, compare.schema.json).
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "reports/regression/evidence.h"
#include "reports/regression/fingerprint.h"
#include "reports/regression/gate_rule.h"
#include "reports/regression/judgement.h"
#include "reports/regression/metric_samples.h"
#include "reports/regression/verdict.h"

namespace dtbench {

/// What earlier sessions say of a metric.
struct SessionEvidence {
  std::size_t sessions = 0;            ///< that the baseline rests on
  double centre = 0;                   ///< in the metric's unit
  double spread = 0;                   ///< relative, of one session
  double gate = 0;                     ///< relative change that one session has to show
  std::vector<std::string> set_aside;  ///< files of sessions unlike the others
  std::optional<std::string> step_at;  ///< file of the first session at the present level
  double step = 0;                     ///< relative
};

struct MetricReport {
  std::string name, unit;
  Better better = Better::lower;
  MetricKind kind = MetricKind::absolute;
  double threshold = 0;
  Evidence evidence;
  double adjusted_p = 1;
  double minimum_detectable_change = 0;  ///< relative, with 95 % probability
  std::optional<SessionEvidence> sessions;
  Judgement judgement;
};

struct FileSummary {
  std::string path, format, session, revision;
};

/// Something to know that is no verdict; `code` is stable, upper case.
struct Remark {
  std::string code, text;
  bool operator==(const Remark&) const = default;
};

struct RegressionReport {
  FileSummary base, changed;
  GateRule rule;
  Verdict verdict = Verdict::incomparable;
  std::vector<FieldDifference> differences;  ///< of the conditions; those in `allowed` do not count
  std::vector<std::string> allowed;
  std::vector<MetricReport> metrics;
  std::vector<LeftOut> not_compared;  ///< metrics of one file only, or without usable repetitions
  std::vector<Remark> remarks;
};

/// Metrics with that verdict.
inline std::size_t count_of(const RegressionReport& report, Verdict verdict) {
  const auto has = [verdict](const MetricReport& metric) { return metric.judgement.verdict == verdict; };
  return static_cast<std::size_t>(std::count_if(report.metrics.begin(), report.metrics.end(), has));
}

}  // namespace dtbench
