#include "reports/regression/judgement.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "reports/quantity_text.h"
#include "reports/regression/power.h"
#include "reports/regression/rank_test.h"

namespace dtbench {

namespace {

// The shift and the ends of its interval, turned so that above 0 is worse.
struct Worse {
  double value = 0, low = 0, high = 0;
};

Worse worse_of(const Evidence& evidence, Better better) {
  if (better == Better::lower) return {evidence.shift, evidence.shift_low, evidence.shift_high};
  return {-evidence.shift, -evidence.shift_high, -evidence.shift_low};
}

std::string size_text(double log_shift) { return share_text(std::expm1(std::abs(log_shift))); }

Judgement inconclusive(std::string code, const std::string& text, std::optional<std::size_t> needed = std::nullopt) {
  return {Verdict::inconclusive, code, code + ": " + text, needed};
}

Judgement too_few(std::size_t repetitions, const Evidence& evidence) {
  const double smallest = smallest_rank_p_value(evidence.base_repetitions, evidence.changed_repetitions);
  const std::string text = fmt::format(
      "TOO_FEW_REPETITIONS ({} < {}): {} against {} are not judged, since complete separation may be chance (p = "
      "{:.2g} at "
      "the least); {} on each side are the fewest that are, {} the recommendation",
      repetitions, kRecommendedRepetitions, evidence.base_repetitions, evidence.changed_repetitions, smallest,
      kLeastRepetitions, kRecommendedRepetitions);
  return {Verdict::inconclusive, "TOO_FEW_REPETITIONS", text, kRecommendedRepetitions};
}

// The test with its effect size: the share of pairs in which the new value is the larger.
std::string test_text(const Evidence& evidence, const JudgementRequest& request) {
  if (request.sessions > 0) return fmt::format("p = {:.2g}, {} sessions", request.adjusted_p, request.sessions);
  return fmt::format("p = {:.2g}, U = {} of {}, effect size {:.2f}", request.adjusted_p, evidence.rank.u,
                     evidence.base_repetitions * evidence.changed_repetitions, evidence.rank.superior);
}

Judgement different(const Worse& worse, const Evidence& evidence, const JudgementRequest& request,
                    const GateRule& rule) {
  const std::string said = fmt::format("{} by {} ({})", worse.value > 0 ? "worse" : "better", size_text(worse.value),
                                       test_text(evidence, request));
  const bool drifts = evidence.drift_p_value <= rule.drift_alpha;
  if (drifts && std::abs(worse.value) - evidence.drift < std::log1p(request.threshold))
    return inconclusive("DRIFT",
                        fmt::format("{}, but the repetitions of a session wander by {} themselves (p = {:.2g}): "
                                    "warm up longer, or measure both versions in turns (--ab)",
                                    said, size_text(evidence.drift), evidence.drift_p_value));
  if (request.same_code)
    return inconclusive("SESSIONS_DIFFER",
                        said +
                            ", but both files measured the same revision: so much one session differs from another "
                            "here, whatever the code; measure in turns (--ab) or give --history");
  if (request.sessions_required && request.sessions == 0)
    return inconclusive("ONE_SESSION_EACH", said +
                                                ", but one session each does not say how much sessions differ: "
                                                "measure in turns (--ab) or give --history");
  return {worse.value > 0 ? Verdict::regressed : Verdict::improved, worse.value > 0 ? "WORSE" : "BETTER", said,
          std::nullopt};
}

// Enough to pass when nothing has changed, enough to tell a change of the estimated size when it has.
std::size_t needed_repetitions(const Worse& worse, const Evidence& evidence, double threshold, const GateRule& rule) {
  // A change just at the threshold would take for ever; one of half as much again is what can be aimed at.
  const double aim = std::max(std::expm1(std::abs(worse.value)), 1.5 * threshold);
  const std::size_t most = std::max(evidence.base_repetitions, evidence.changed_repetitions);
  return std::max({repetitions_to_pass(evidence.noise, rule.confidence, threshold),
                   repetitions_to_find(aim, evidence.noise, rule.alpha, threshold), most + 1, kRecommendedRepetitions});
}

std::string not_excluded(const Worse& worse, double threshold) {
  const std::string reach = std::isfinite(worse.high) ? size_text(worse.high) : "any amount";
  return fmt::format("a change for the worse by {} is not excluded (up to {} is possible)", share_text(threshold),
                     reach);
}

Judgement unresolved(const Worse& worse, const Evidence& evidence, const JudgementRequest& request,
                     const GateRule& rule) {
  const std::string said = not_excluded(worse, request.threshold);
  if (request.sessions > 0)
    return inconclusive(
        "NOISE", fmt::format("{}: {} earlier sessions differ too much; more sessions or a higher --threshold", said,
                             request.sessions));
  const std::size_t needed = needed_repetitions(worse, evidence, request.threshold, rule);
  const double detectable = minimum_detectable_change(evidence.error, rule.alpha, request.threshold);
  return inconclusive(
      "NOISE",
      fmt::format("{}; with {} noise a repetition, changes from {} on are found; about {} repetitions on "
                  "each side would settle it",
                  said, share_text(evidence.noise), share_text(detectable), needed),
      needed);
}

}  // namespace


Judgement judge(const Evidence& evidence, const JudgementRequest& request, const GateRule& rule) {
  const std::size_t fewest = std::min(evidence.base_repetitions, evidence.changed_repetitions);
  if (fewest < kLeastRepetitions) return too_few(fewest, evidence);
  const Worse worse = worse_of(evidence, request.better);
  const double gate = std::log1p(request.threshold);
  const bool significant = request.adjusted_p <= rule.alpha;
  if (significant && std::abs(worse.value) >= gate) return different(worse, evidence, request, rule);
  if (worse.high < gate)
    return {Verdict::pass, "WITHIN_THRESHOLD",
            fmt::format("a change for the worse by {} is excluded", share_text(request.threshold)), std::nullopt};
  return unresolved(worse, evidence, request, rule);
}

}  // namespace dtbench
