#include "reports/regression/evidence.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "reports/regression/bootstrap_ratio.h"
#include "reports/regression/drift.h"
#include "reports/regression/location_shift.h"
#include "reports/regression/power.h"
#include "reports/regression/welch_test.h"
#include "topologies/base/error.h"

namespace dtbench {

namespace {

std::vector<double> logs_of(std::span<const double> values) {
  std::vector<double> logs;
  for (const double value : values) {
    DTBENCH_CHECK(value > 0);
    logs.push_back(std::log(value));
  }
  return logs;
}

bool separated(std::span<const double> a, std::span<const double> b) {
  const auto [a_low, a_high] = std::minmax_element(a.begin(), a.end());
  const auto [b_low, b_high] = std::minmax_element(b.begin(), b.end());
  return *a_high < *b_low || *b_high < *a_low;
}

double combined_p_value(const RankTest& rank, std::span<const double> a, std::span<const double> b) {
  if (a.size() < 2 || b.size() < 2 || !separated(a, b)) return rank.p_value;
  return std::min(rank.p_value, welch_p_value(a, b));
}

// How far a drift from the first repetition to the last leads until the middle of a session that follows at once.
double to_next_session(double change, std::size_t repetitions) {
  if (repetitions < 2) return 0;
  return std::abs(change) * static_cast<double>(repetitions) / static_cast<double>(repetitions - 1);
}

}  // namespace

Evidence evidence_of(const MetricSamples& base, const MetricSamples& changed, const GateRule& rule) {
  const std::vector<double> a = logs_of(base.repetitions), b = logs_of(changed.repetitions);
  Evidence evidence;
  evidence.base_repetitions = a.size();
  evidence.changed_repetitions = b.size();
  evidence.base_median = median(base.repetitions);
  evidence.changed_median = median(changed.repetitions);
  evidence.rank = mann_whitney(a, b);
  evidence.p_value = combined_p_value(evidence.rank, a, b);
  const LocationShift shift = location_shift(a, b, rule.confidence);
  evidence.shift = shift.value;
  evidence.shift_low = shift.low;
  evidence.shift_high = shift.high;
  evidence.ratio_of_medians =
      bootstrap_ratio_of_medians(base.repetitions, changed.repetitions,
                                 {.confidence = rule.confidence, .resamples = rule.resamples, .seed = rule.seed});
  evidence.noise = relative_noise(a, b);
  evidence.error = error_of_shift(evidence.noise, a.size(), b.size());
  const Drift drift = drift_of(a, b);
  evidence.drift_p_value = drift.p_value;
  evidence.drift = std::max(to_next_session(drift.base, a.size()), to_next_session(drift.changed, b.size()));
  return evidence;
}

}  // namespace dtbench
