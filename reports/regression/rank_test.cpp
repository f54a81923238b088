#include "reports/regression/rank_test.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "topologies/base/error.h"

namespace dtbench {

namespace {

double log_arrangements(std::size_t n, std::size_t m) {
  const auto a = static_cast<double>(n), b = static_cast<double>(m);
  return std::lgamma(a + b + 1) - std::lgamma(a + 1) - std::lgamma(b + 1);
}

// Twice the midrank of every value of the pooled sample: whole numbers, ties or not.
std::vector<std::size_t> doubled_midranks(const std::vector<double>& pooled) {
  std::vector<std::size_t> order(pooled.size()), ranks(pooled.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return pooled[a] < pooled[b]; });
  for (std::size_t first = 0; first < order.size();) {
    std::size_t end = first + 1;
    while (end < order.size() && pooled[order[end]] == pooled[order[first]]) ++end;
    for (std::size_t i = first; i < end; ++i) ranks[order[i]] = first + end + 1;  // twice the mean of first+1..end
    first = end;
  }
  return ranks;
}

// Number of ways to draw `drawn` of the ranks with each sum.
std::vector<double> sum_counts(const std::vector<std::size_t>& ranks, std::size_t drawn) {
  const std::size_t largest = std::accumulate(ranks.begin(), ranks.end(), std::size_t{0});
  std::vector<std::vector<double>> ways(drawn + 1, std::vector<double>(largest + 1));
  ways[0][0] = 1;
  std::size_t seen = 0, reach = 0;
  for (const std::size_t rank : ranks) {
    ++seen;
    reach += rank;
    for (std::size_t k = std::min(seen, drawn); k > 0; --k)
      for (std::size_t sum = reach; sum >= rank; --sum) ways[k][sum] += ways[k - 1][sum - rank];
  }
  return ways[drawn];
}

double two_sided(const std::vector<double>& counts, std::size_t observed) {
  const double all = std::accumulate(counts.begin(), counts.end(), 0.);
  const auto at = counts.begin() + static_cast<std::ptrdiff_t>(observed);
  const double below = std::accumulate(counts.begin(), at + 1, 0.);
  const double above = std::accumulate(at, counts.end(), 0.);
  return std::min(1., 2 * std::min(below, above) / all);
}

double normal_p_value(double u, std::size_t n, std::size_t m, std::vector<double> pooled) {
  std::sort(pooled.begin(), pooled.end());
  const auto a = static_cast<double>(n), b = static_cast<double>(m), all = a + b;
  double ties = 0;
  for (std::size_t first = 0; first < pooled.size();) {
    const auto end = std::upper_bound(pooled.begin() + static_cast<std::ptrdiff_t>(first), pooled.end(), pooled[first]);
    const auto equal = static_cast<double>(end - pooled.begin()) - static_cast<double>(first);
    ties += equal * equal * equal - equal;
    first = static_cast<std::size_t>(end - pooled.begin());
  }
  const double variance = a * b / 12 * (all + 1 - ties / (all * (all - 1)));
  if (variance <= 0) return 1;  // all values are equal
  const double away = std::max(0., std::abs(u - a * b / 2) - 0.5);
  return std::min(1., 2 * cdf(complement(boost::math::normal(), away / std::sqrt(variance))));
}

bool has_ties(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return std::adjacent_find(values.begin(), values.end()) != values.end();
}

// Distribution of U without ties: the coefficients of the Gaussian binomial, each factor (1 - x^(m+i)) / (1 - x^i).
std::vector<std::uint64_t> u_counts(std::size_t n, std::size_t m) {
  std::vector<std::uint64_t> counts(n * m + 1);
  counts[0] = 1;
  for (std::size_t i = 1; i <= n; ++i) {
    for (std::size_t u = n * m; u >= m + i; --u) counts[u] -= counts[u - m - i];
    for (std::size_t u = i; u <= n * m; ++u) counts[u] += counts[u - i];
  }
  return counts;
}

}  // namespace

bool rank_counts_fit(std::size_t base, std::size_t changed) {
  return log_arrangements(base, changed) < 63 * std::log(2.);
}

double smallest_rank_p_value(std::size_t base, std::size_t changed) {
  return std::min(1., 2 * std::exp(-log_arrangements(base, changed)));
}

std::vector<double> rank_distribution(std::size_t base, std::size_t changed) {
  DTBENCH_CHECK(base > 0 && changed > 0 && rank_counts_fit(base, changed));
  const std::vector<std::uint64_t> counts = u_counts(base, changed);
  const auto all = static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
  std::vector<double> below;
  std::uint64_t sum = 0;
  for (const std::uint64_t count : counts) below.push_back(static_cast<double>(sum += count) / all);
  return below;
}

RankTest mann_whitney(std::span<const double> base, std::span<const double> changed) {
  DTBENCH_CHECK(!base.empty() && !changed.empty());
  const std::size_t n = base.size(), m = changed.size();
  std::vector<double> pooled(base.begin(), base.end());
  pooled.insert(pooled.end(), changed.begin(), changed.end());
  const std::vector<std::size_t> ranks = doubled_midranks(pooled);
  const std::size_t sum = std::accumulate(ranks.begin() + static_cast<std::ptrdiff_t>(n), ranks.end(), std::size_t{0});
  RankTest test;
  test.u = (static_cast<double>(sum) - static_cast<double>(m * (m + 1))) / 2;
  test.superior = test.u / static_cast<double>(n * m);
  test.exact = rank_counts_fit(n, m);
  if (!test.exact) {
    test.p_value = normal_p_value(test.u, n, m, std::move(pooled));
  } else if (has_ties(pooled)) {
    test.p_value = two_sided(sum_counts(ranks, m), sum);
  } else {
    const std::vector<std::uint64_t> counts = u_counts(n, m);
    test.p_value = two_sided({counts.begin(), counts.end()}, static_cast<std::size_t>(std::lround(test.u)));
  }
  return test;
}

}  // namespace dtbench
