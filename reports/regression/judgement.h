// From evidence to a verdict on one metric.
#pragma once

#include <optional>
#include <string>

#include "reports/regression/evidence.h"
#include "reports/regression/verdict.h"

namespace dtbench {

struct Judgement {
  Verdict verdict = Verdict::inconclusive;
  std::string code;  ///< stable: WITHIN_THRESHOLD, WORSE, BETTER, NOISE, DRIFT, SESSIONS_DIFFER, ONE_SESSION_EACH, ...
  std::string text;  ///< one sentence
  std::optional<std::size_t> needed_repetitions;  ///< on each side, when more would settle it
};

struct JudgementRequest {
  Better better = Better::lower;
  double threshold = 0.03;  ///< relative change for the worse that matters
  double adjusted_p = 1;    ///< of evidence.p_value
  /// Both files measured the same revision in different sessions: whatever differs is not the code.
  bool same_code = false;
  /// The evidence compares one session with this many earlier ones; 0: the repetitions of two sessions.
  std::size_t sessions = 0;
  /// One session each says too little: every difference is inconclusive.
  bool sessions_required = false;
};

/// regressed or improved: significant at alpha, by at least the threshold, and by more than the threshold still when
/// what the repetitions drifted is taken off. pass: a change for the worse by the threshold is excluded (the interval
/// ends before it). Everything else is inconclusive, and says what would settle it.
Judgement judge(const Evidence& evidence, const JudgementRequest& request, const GateRule& rule);

}  // namespace dtbench
