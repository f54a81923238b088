// Results on one screen of a terminal, 100 columns wide: the answer, what it rests on, the scaling table with bands,
// the closed loop, what to notice, and how long dtbench took.
#pragma once

#include <string>

#include "reports/bench_result.h"
#include "reports/run_result.h"
#include "reports/text_layout.h"
#include "reports/train_result.h"
#include "reports/validate_result.h"
#include "reports/verify_result.h"

namespace dtbench {

/// Columns of the labels in front of texts.
inline constexpr std::size_t kLabelWidth = 13;

std::string terminal_text(const RunResult& result, const TextStyle& style);
std::string terminal_text(const VerifyResult& result, const TextStyle& style);
std::string terminal_text(const TrainResult& result, const TextStyle& style);
/// Ends in the summary line, which scripts read; the timing stands before it.
std::string terminal_text(const ValidateResult& result, const TextStyle& style);
std::string terminal_text(const BenchResult& result, const TextStyle& style);

/// "dtbench took ...", the last line of the others.
std::string timing_line(const std::map<std::string, double>& seconds_by_phase, const TextStyle& style);

}  // namespace dtbench
