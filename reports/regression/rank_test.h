// Do two samples lie at the same place? Mann and Whitney's rank test: no assumption on the shape of the noise, and one
// wild repetition moves nothing.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace dtbench {

struct RankTest {
  double u = 0;         ///< pairs in which the second sample is larger; equal pairs count half
  double p_value = 1;   ///< two-sided
  double superior = 0;  ///< u / pairs: chance that a value of the second sample is the larger (Vargha and Delaney's A)
  bool exact = false;   ///< from the distribution itself, not its normal approximation
};

/// Exact (conditional on the ties) as long as the number of arrangements fits 63 bits, which 33 against 33 do; beyond,
/// the normal approximation with corrections for ties and continuity. Both samples hold at least one finite value.
RankTest mann_whitney(std::span<const double> base, std::span<const double> changed);

/// What complete separation gives: no p-value of this many repetitions is smaller.
double smallest_rank_p_value(std::size_t base, std::size_t changed);

/// P(U <= u) for u = 0, 1, ..., n m, without ties. The arrangements must fit 63 bits (`rank_counts_fit`).
std::vector<double> rank_distribution(std::size_t base, std::size_t changed);
bool rank_counts_fit(std::size_t base, std::size_t changed);

}  // namespace dtbench
