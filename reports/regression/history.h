// A baseline of several sessions: where they lie, how much one differs from another, and what of them to leave aside.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "reports/regression/gate_rule.h"

namespace dtbench {

/// Fewer sessions say too little about how sessions differ.
inline constexpr std::size_t kLeastSessions = 5;

/// One session of one metric.
struct SessionValue {
  double log_median = 0;
  double error = 0;  ///< standard error of log_median from within the session
};

struct Baseline {
  double centre = 0;                    ///< logarithm; mean of the sessions at the present level
  double spread = 0;                    ///< standard deviation of one session
  double freedom = 0;                   ///< degrees of freedom of the spread
  std::size_t sessions = 0;             ///< that the centre rests on
  std::vector<std::size_t> set_aside;   ///< indices of sessions unlike the others (generalised ESD test)
  std::size_t first_of_level = 0;       ///< index of the first session after the last step; 0 = no step
  double step = 0;                      ///< logarithm of the step's ratio
  double step_p_value = 1;              ///< of Pettitt's test, by permutation
  double trend_p_value = 1, trend = 0;  ///< Kendall's test; Theil and Sen's change over all sessions of the level
};

/// Sessions in the order of time, at least `kLeastSessions`. A step needs three sessions on either side, a p-value
/// below 2 % and the size of the threshold; the spread then comes from both levels, the centre from the last one.
Baseline pool_sessions(std::span<const SessionValue> sessions, double threshold, const GateRule& rule);

struct SessionTest {
  double shift = 0;    ///< logarithm of the session over the baseline
  double p_value = 1;  ///< two-sided: a session as far from the baseline as this one, by Student's t
  double error = 0;    ///< of the shift: of a single session and of the centre
  double low = 0, high = 0;
};
SessionTest test_session(double log_median, const Baseline& baseline, double confidence);

/// The relative change that one session has to show: at least the threshold, and beyond what sessions differ.
double session_gate(const Baseline& baseline, double threshold, double alpha);

}  // namespace dtbench
