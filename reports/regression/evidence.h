// What the repetitions of one metric say before anything is decided.
#pragma once

#include <cstddef>

#include "reports/regression/gate_rule.h"
#include "reports/regression/metric_samples.h"
#include "reports/regression/rank_test.h"
#include "reports/statistics.h"

namespace dtbench {

struct Evidence {
  std::size_t base_repetitions = 0, changed_repetitions = 0;
  double base_median = 0, changed_median = 0;
  double p_value = 1;  ///< two-sided, see `evidence_of`
  RankTest rank;
  /// Logarithm of changed / base: Hodges and Lehmann's estimate with its interval.
  double shift = 0, shift_low = 0, shift_high = 0;
  ConfidenceInterval ratio_of_medians;  ///< bootstrap
  double noise = 0;                     ///< relative spread of one repetition
  double error = 0;                     ///< standard error of the shift
  double drift_p_value = 1;
  /// Logarithm: how far the larger drift of the two leads from one session to a next that follows at once.
  double drift = 0;
};

/// Compares the repetitions of two sessions, on logarithms. The p-value is the rank test's; only where the samples are
/// completely separated, so that ranks can say no more, does Welch's t-test on the logarithms lower it: whatever level
/// is asked for, the chance of a false alarm is bounded by one of the two.
Evidence evidence_of(const MetricSamples& base, const MetricSamples& changed, const GateRule& rule);

}  // namespace dtbench
