#include "reports/regression/history.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "reports/regression/drift.h"
#include "reports/statistics.h"
#include "topologies/base/error.h"

namespace dtbench {

namespace {

constexpr std::size_t kLeastOfALevel = 3;
constexpr double kStepAlpha = 0.02, kOutlierAlpha = 0.01;
constexpr int kPermutations = 2000;
constexpr double kLargestLogGate = 100;  // sessions that have nothing in common

double student_quantile(double freedom, double probability) {
  return boost::math::quantile(boost::math::students_t(freedom), probability);
}

// Pettitt's statistic, the most that values before a split and after it differ by pairs: ranks only, so that one wild
// session cannot make a step.
double step_statistic(std::span<const double> values) {
  double largest = 0;
  for (std::size_t at = kLeastOfALevel; at + kLeastOfALevel <= values.size(); ++at) {
    double pairs = 0;
    for (std::size_t i = 0; i < at; ++i)
      for (std::size_t j = at; j < values.size(); ++j) pairs += (values[j] > values[i]) - (values[j] < values[i]);
    largest = std::max(largest, std::abs(pairs));
  }
  return largest;
}

double absolute_deviations(std::span<const double> level) {
  const double centre = median(level);
  double sum = 0;
  for (const double value : level) sum += std::abs(value - centre);
  return sum;
}

// Where two levels fit best; Pettitt's own place leans to the middle.
std::size_t best_split(std::span<const double> values) {
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t at = kLeastOfALevel; at + kLeastOfALevel <= values.size(); ++at) {
    const double sum = absolute_deviations(values.first(at)) + absolute_deviations(values.subspan(at));
    if (sum >= least) continue;
    least = sum;
    best = at;
  }
  return best;
}

// Stops as soon as it is clear that there is no step: the p-value is then a lower bound above kStepAlpha.
double permutation_p_value(std::vector<double> values, double size, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  int as_large = 0;
  for (int i = 0; i < kPermutations && as_large <= kStepAlpha * kPermutations; ++i) {
    std::shuffle(values.begin(), values.end(), random);
    as_large += step_statistic(values) >= size ? 1 : 0;
  }
  return (as_large + 1.) / (kPermutations + 1.);
}

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.) / static_cast<double>(values.size());
}

double deviation_of(std::span<const double> values, double freedom) {
  const double mean = mean_of(values);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / freedom);
}

// The largest deviation that one of n normal values shows, in standard deviations (Grubbs).
double grubbs_limit(std::size_t count) {
  const auto n = static_cast<double>(count);
  const double t = student_quantile(n - 2, 1 - kOutlierAlpha / (2 * n));
  return (n - 1) / std::sqrt(n) * std::sqrt(t * t / (n - 2 + t * t));
}

// Rosner's generalised ESD test for at most a fifth of the values: removing the farthest one after the other, the
// number of outliers is the last at which the farthest was too far.
std::vector<std::size_t> outliers_of(const std::vector<double>& residuals) {
  std::vector<std::size_t> kept(residuals.size()), removed;
  std::iota(kept.begin(), kept.end(), std::size_t{0});
  std::size_t outliers = 0;
  for (std::size_t round = 0; round < residuals.size() / 5; ++round) {
    std::vector<double> values;
    for (const std::size_t index : kept) values.push_back(residuals[index]);
    const double mean = mean_of(values), deviation = deviation_of(values, static_cast<double>(values.size() - 1));
    const auto farthest = std::max_element(kept.begin(), kept.end(), [&](std::size_t a, std::size_t b) {
      return std::abs(residuals[a] - mean) < std::abs(residuals[b] - mean);
    });
    const bool too_far = deviation > 0 && std::abs(residuals[*farthest] - mean) > grubbs_limit(kept.size()) * deviation;
    removed.push_back(*farthest);
    kept.erase(farthest);
    if (too_far) outliers = removed.size();
  }
  removed.resize(outliers);
  std::sort(removed.begin(), removed.end());
  return removed;
}

void find_step(Baseline& baseline, const std::vector<double>& values, double threshold, std::uint64_t seed) {
  const double statistic = step_statistic(values);
  if (statistic == 0) return;
  const std::size_t at = best_split(values);
  const double before = median(std::span(values).first(at)), after = median(std::span(values).subspan(at));
  const double p_value = permutation_p_value(values, statistic, seed);
  if (p_value > kStepAlpha || std::abs(after - before) < std::log1p(threshold)) return;
  baseline.first_of_level = at;
  baseline.step = after - before;
  baseline.step_p_value = p_value;
}

// What remains of the values when each level's median is taken off.
std::vector<double> residuals_of(const std::vector<double>& values, std::size_t first_of_level) {
  std::vector<double> residuals;
  const std::span<const double> all(values);
  for (const auto level : {all.first(first_of_level), all.subspan(first_of_level)}) {
    if (level.empty()) continue;
    const double centre = median(level);
    for (const double value : level) residuals.push_back(value - centre);
  }
  return residuals;
}

double within_sessions(std::span<const SessionValue> sessions) {
  double squares = 0;
  for (const SessionValue& session : sessions) squares += session.error * session.error;
  return std::sqrt(squares / static_cast<double>(sessions.size()));
}

bool contains(const std::vector<std::size_t>& indices, std::size_t index) {
  return std::find(indices.begin(), indices.end(), index) != indices.end();
}

}  // namespace

Baseline pool_sessions(std::span<const SessionValue> sessions, double threshold, const GateRule& rule) {
  DTBENCH_CHECK(sessions.size() >= kLeastSessions);
  std::vector<double> values;
  for (const SessionValue& session : sessions) values.push_back(session.log_median);
  Baseline baseline;
  find_step(baseline, values, threshold, rule.seed);
  const std::vector<double> residuals = residuals_of(values, baseline.first_of_level);
  baseline.set_aside = outliers_of(residuals);
  std::vector<double> kept, level;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (contains(baseline.set_aside, i)) continue;
    kept.push_back(residuals[i]);
    if (i >= baseline.first_of_level) level.push_back(values[i]);
  }
  DTBENCH_CHECK(!level.empty());  // of three or more at most one fifth of all is set aside
  const double levels = baseline.first_of_level > 0 ? 2 : 1;
  baseline.freedom = static_cast<double>(kept.size()) - levels;
  baseline.spread = std::max(deviation_of(kept, baseline.freedom), within_sessions(sessions));
  baseline.centre = mean_of(level);
  baseline.sessions = level.size();
  const Drift drift = drift_of(level, {});
  baseline.trend_p_value = drift.p_value;
  baseline.trend = drift.base;
  return baseline;
}

SessionTest test_session(double log_median, const Baseline& baseline, double confidence) {
  SessionTest test;
  test.shift = log_median - baseline.centre;
  test.error = baseline.spread * std::sqrt(1 + 1 / static_cast<double>(baseline.sessions));
  const double half = student_quantile(baseline.freedom, (1 + confidence) / 2) * test.error;
  test.low = test.shift - half;
  test.high = test.shift + half;
  test.p_value = test.shift == 0 ? 1 : 0;
  if (test.error > 0)
    test.p_value = 2 * boost::math::cdf(boost::math::complement(boost::math::students_t(baseline.freedom),
                                                                std::abs(test.shift) / test.error));
  return test;
}

double session_gate(const Baseline& baseline, double threshold, double alpha) {
  const double error = baseline.spread * std::sqrt(1 + 1 / static_cast<double>(baseline.sessions));
  return std::max(threshold,
                  std::expm1(std::min(student_quantile(baseline.freedom, 1 - alpha / 2) * error, kLargestLogGate)));
}

}  // namespace dtbench
