// The answer in one or two sentences: will more devices be faster, by how much, and what limits them.
#pragma once

#include <string>

#include "reports/run_result.h"

namespace dtbench {

enum class Outlook { faster, slower, unclear, does_not_fit, single };

struct Headline {
  Outlook outlook = Outlook::unclear;
  std::string text;
  bool operator==(const Headline&) const = default;
};

/// Compares the most devices of the run with the fewest. "Yes" and "no" only when the whole band of the speed-up is on
/// that side of 1; points sorted by devices, at least one.
Headline headline(const RunResult& result);

}  // namespace dtbench
