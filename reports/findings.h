// What a reader should notice in a result, each with its evidence and with what to do about it.
//
// Codes are stable: scripts match on them. A finding of severity "error" makes the program exit with 1.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "reports/run_result.h"

namespace dtbench {

struct FindingRule {
  std::string_view code, severity;
  /// Text and evidence; an empty text when there is nothing to say.
  Finding (*check)(const RunResult& result);
};

std::span<const FindingRule> finding_rules();

/// Errors first, then warnings, then information; within a severity in the order of the rules. Expects points sorted
/// by devices (derive_scaling does it) and reads everything but `result.findings`.
std::vector<Finding> find_findings(const RunResult& result);

}  // namespace dtbench
