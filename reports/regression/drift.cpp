#include "reports/regression/drift.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "reports/statistics.h"

namespace dtbench {

namespace {

constexpr std::size_t kMostExact = 30;  // beyond, the normal approximation is as good
constexpr std::size_t kMostOrdered = 1000;

// Pairs that rise less pairs that fall.
double kendall_s(std::span<const double> values) {
  double s = 0;
  for (std::size_t j = 1; j < values.size(); ++j)
    for (std::size_t i = 0; i < j; ++i) s += (values[j] > values[i]) - (values[j] < values[i]);
  return s;
}

// Probability of each number of falling pairs when all orders are equally likely (Mahonian numbers, scaled).
std::vector<double> falling_pairs(std::size_t n) {
  std::vector<double> chance{1};
  for (std::size_t k = 2; k <= n; ++k) {
    std::vector<double> next(chance.size() + k - 1);
    for (std::size_t i = 0; i < chance.size(); ++i)
      for (std::size_t j = 0; j < k; ++j) next[i + j] += chance[i] / static_cast<double>(k);
    chance = std::move(next);
  }
  return chance;
}

std::vector<double> convolved(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> sum(a.size() + b.size() - 1);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) sum[i + j] += a[i] * b[j];
  return sum;
}

double exact_p_value(double s, std::size_t n, std::size_t m) {
  const std::vector<double> chance = convolved(falling_pairs(n), falling_pairs(m));
  const auto pairs = static_cast<double>(chance.size() - 1);
  double tail = 0;
  for (std::size_t falling = 0; falling < chance.size(); ++falling)
    if (std::abs(pairs - 2 * static_cast<double>(falling)) >= std::abs(s) - 1e-9) tail += chance[falling];
  return std::min(1., tail);
}

double variance_of_s(std::size_t count) {
  const auto n = static_cast<double>(count);
  return n * (n - 1) * (2 * n + 5) / 18;
}

double normal_p_value(double s, double variance) {
  if (variance <= 0) return 1;
  const double away = std::max(0., std::abs(s) - 1);
  return std::min(1., 2 * cdf(complement(boost::math::normal(), away / std::sqrt(variance))));
}

std::span<const double> first_values(std::span<const double> values) {
  return values.first(std::min(values.size(), kMostOrdered));
}

}  // namespace

double theil_sen_change(std::span<const double> values) {
  const std::span<const double> kept = first_values(values);
  if (kept.size() < 2) return 0;
  std::vector<double> slopes;
  for (std::size_t j = 1; j < kept.size(); ++j)
    for (std::size_t i = 0; i < j; ++i) slopes.push_back((kept[j] - kept[i]) / static_cast<double>(j - i));
  return median(slopes) * static_cast<double>(values.size() - 1);
}

Drift drift_of(std::span<const double> base, std::span<const double> changed) {
  const std::span<const double> a = first_values(base), b = first_values(changed);
  const double s = kendall_s(a) + kendall_s(b);
  Drift drift;
  drift.p_value = a.size() <= kMostExact && b.size() <= kMostExact
                      ? exact_p_value(s, a.size(), b.size())
                      : normal_p_value(s, variance_of_s(a.size()) + variance_of_s(b.size()));
  drift.base = theil_sen_change(base);
  drift.changed = theil_sen_change(changed);
  return drift;
}

}  // namespace dtbench
