#include "reports/regression/verdict.h"

#include <algorithm>
#include <array>

namespace dtbench {

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      return "pass";
    case Verdict::improved:
      return "improved";
    case Verdict::regressed:
      return "regressed";
    case Verdict::inconclusive:
      return "inconclusive";
    case Verdict::incomparable:
      break;
  }
  return "incomparable";
}

ExitCode exit_code_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
    case Verdict::improved:
      return ExitCode::good;
    case Verdict::regressed:
      return ExitCode::regressed;
    case Verdict::inconclusive:
      return ExitCode::inconclusive;
    case Verdict::incomparable:
      break;
  }
  return ExitCode::incomparable;
}

Verdict overall_verdict(std::span<const Verdict> verdicts) {
  constexpr std::array kByWeight = {Verdict::regressed, Verdict::inconclusive, Verdict::improved, Verdict::pass};
  for (const Verdict verdict : kByWeight)
    if (std::find(verdicts.begin(), verdicts.end(), verdict) != verdicts.end()) return verdict;
  return Verdict::incomparable;
}

}  // namespace dtbench
