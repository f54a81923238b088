// How a difference is judged.
#pragma once

#include <cstddef>
#include <cstdint>

namespace dtbench {

/// Complete separation of 5 against 5 has p = 2/252 = 0.008, of 4 against 4 only 0.03: below 5 no difference, however
/// large, can be told from chance at alpha = 0.01. Nine are what rank tests are usually run with.
inline constexpr std::size_t kLeastRepetitions = 5, kRecommendedRepetitions = 9;

struct GateRule {
  double threshold = 0.03;         ///< smallest relative change for the worse that matters
  double ratio_threshold = 0.015;  ///< the same for ratios taken inside one run
  double alpha = 0.01;             ///< chance of any false alarm among all metrics of a comparison
  double confidence = 0.9;         ///< of intervals: 5 % on either side
  double drift_alpha = 0.01;       ///< when repetitions count as drifting
  int resamples = 2000;            ///< of the bootstrap
  std::uint64_t seed = 1;          ///< of the bootstrap and of permutations
};

}  // namespace dtbench
