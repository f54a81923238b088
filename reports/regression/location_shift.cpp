#include "reports/regression/location_shift.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "reports/regression/rank_test.h"
#include "reports/statistics.h"
#include "topologies/base/error.h"

namespace dtbench {

namespace {

constexpr std::size_t kMostDiffered = 2000;  // four million differences take some 0.3 s

std::vector<double> thinned(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  if (sorted.size() <= kMostDiffered) return sorted;
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> kept(kMostDiffered);
  for (std::size_t i = 0; i < kMostDiffered; ++i) kept[i] = sorted[(2 * i + 1) * sorted.size() / (2 * kMostDiffered)];
  return kept;
}

// How many of the smallest differences lie below the interval: the largest u with P(U < u) <= tail; -1 for none.
std::ptrdiff_t left_out(std::size_t n, std::size_t m, double tail) {
  if (rank_counts_fit(n, m)) {
    const std::vector<double> below = rank_distribution(n, m);
    return std::upper_bound(below.begin(), below.end(), tail) - below.begin() - 1;
  }
  const auto a = static_cast<double>(n), b = static_cast<double>(m);
  const double z = quantile(boost::math::normal(), tail);
  return static_cast<std::ptrdiff_t>(std::floor(a * b / 2 + z * std::sqrt(a * b * (a + b + 1) / 12) - 0.5));
}

}  // namespace

LocationShift location_shift(std::span<const double> base, std::span<const double> changed, double confidence) {
  DTBENCH_CHECK(!base.empty() && !changed.empty() && confidence > 0 && confidence < 1);
  std::vector<double> differences;
  const std::vector<double> a = thinned(base), b = thinned(changed);
  differences.reserve(a.size() * b.size());
  for (const double x : a)
    for (const double y : b) differences.push_back(y - x);
  std::sort(differences.begin(), differences.end());
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  LocationShift shift{quantile(differences, 0.5), -kInfinity, kInfinity};
  // Of the real numbers of values, as a share of the pairs: thinning keeps the quantiles, not the counts.
  const std::ptrdiff_t outside = left_out(base.size(), changed.size(), (1 - confidence) / 2);
  if (outside < 0) return shift;
  const double pairs = static_cast<double>(base.size()) * static_cast<double>(changed.size());
  const auto rank =
      static_cast<std::size_t>(static_cast<double>(outside) / pairs * static_cast<double>(differences.size()));
  shift.low = differences[rank];
  shift.high = differences[differences.size() - 1 - rank];
  return shift;
}

}  // namespace dtbench
