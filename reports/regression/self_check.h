// How far a machine's own noise lets the gate be trusted: one workload measured over and over, compared with itself.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "reports/regression/gate_rule.h"
#include "reports/text_layout.h"

namespace dtbench {

/// Comparisons of `repetitions` a side, cut out of the series.
struct SelfCheckRow {
  std::size_t repetitions = 0;
  bool in_turns = false;          ///< A B A B ... within the window; else all of A, then all of B
  std::size_t comparisons = 0;    ///< windows, overlapping by three quarters
  double false_alarms = 0;        ///< share called regressed although nothing changed
  double false_alarms_bound = 0;  ///< 95 % upper bound (Clopper and Pearson), overlap accounted for
  double passed = 0;              ///< share passed
  double found = 0;               ///< share called regressed after the second side was made slower by `slow_down`
};

struct SelfCheckReport {
  GateRule rule;
  double slow_down = 0.05;
  std::size_t turns = 0;
  double seconds = 0;  ///< median of the series
  double noise = 0;    ///< relative spread of one repetition about the level of its neighbours
  double wander = 0;   ///< relative spread of the levels of successive groups of 9
  std::vector<SelfCheckRow> rows;
  std::size_t recommended_repetitions = 0;  ///< smallest row in turns that finds 95 %, or by the formula
  double recommended_threshold =
      0;  ///< smallest share of 1, 2, 3, 5, 7, 10, 15, 20, 30 % at which 9 in turns pass 90 %; 0 = none
};

/// The series in the order of time, values above 0, at least 20.
SelfCheckReport self_check(std::span<const double> series, const GateRule& rule);

std::string terminal_text(const SelfCheckReport& report, const TextStyle& style);
/// `dtbench.selfcheck/1`, self_check.schema.json.
std::string self_check_to_json_text(const SelfCheckReport& report, const std::string& command,
                                    const std::map<std::string, std::string>& environment);

}  // namespace dtbench
