#include "sim/model/rate_fit.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <unsupported/Eigen/NonLinearOptimization>

#include "sim/model/robust_statistics.h"
#include "topologies/base/error.h"

namespace dtbench {

namespace {

constexpr double kKnotSpacing = 4;
/// Relative size of errors that need no explanation; beyond `kRateOutlier` an error counts linearly (Huber).
constexpr double kRateNoise = 0.03, kRateOutlier = 3 * kRateNoise;
constexpr double kFixedGuessSd = 3;
constexpr double kFirmly = 0.01;  // standard deviation of what is all but certain

/// Where the values of one curve stand in the vector of unknowns.
struct CurveLayout {
  std::size_t term = 0, curve = 0;
  std::vector<double> knots;
  int first = 0;
  double guess = 0;  // logarithm
  CurveBelief belief;
};

std::vector<double> knots_over(double low, double high) {
  const int steps = int(std::ceil(std::log(high / low) / std::log(kKnotSpacing) - 1e-9));
  std::vector<double> knots = {low};
  for (int i = 1; i <= steps; ++i) knots.push_back(low * std::pow(high / low, double(i) / steps));
  if (steps > 0) knots.back() = high;
  return knots;
}

CurveLayout layout_of(const std::vector<RateObservation>& observations, std::size_t term, std::size_t curve,
                      const CurveBelief& belief) {
  double low = std::numeric_limits<double>::infinity(), high = 0, fastest = 0;
  for (const RateObservation& seen : observations) {
    const double place = std::min(seen.terms[term].places[curve], belief.last_place);
    low = std::min(low, place);
    high = std::max(high, place);
    fastest = std::max(fastest, seen.terms[term].amount / seen.seconds);
  }
  return {term, curve, knots_over(low, high), 0, curve == 0 ? std::log(fastest * belief.guess_factor) : 0, belief};
}

class Problem {
 public:
  using Scalar = double;
  using InputType = Eigen::VectorXd;
  using ValueType = Eigen::VectorXd;
  using JacobianType = Eigen::MatrixXd;
  enum { InputsAtCompileTime = Eigen::Dynamic, ValuesAtCompileTime = Eigen::Dynamic };

  Problem(const RateModel& model, const std::vector<RateObservation>& observations) : observations_(observations) {
    int next = 1;  // 0 is the fixed part
    for (std::size_t term = 0; term < model.size(); ++term)
      for (std::size_t curve = 0; curve < model[term].size(); ++curve) {
        layouts_.push_back(layout_of(observations, term, curve, model[term][curve]));
        layouts_.back().first = next;
        next += int(layouts_.back().knots.size());
      }
    first_guess_.resize(next);
    double shortest = std::numeric_limits<double>::infinity();
    for (const RateObservation& seen : observations)
      shortest = std::min(shortest, seen.seconds / std::max(seen.fixed, 1.0));
    first_guess_[0] = std::log(shortest / 4);
    for (const CurveLayout& layout : layouts_)
      first_guess_.segment(layout.first, int(layout.knots.size())).setConstant(layout.guess);
  }

  const InputType& first_guess() const { return first_guess_; }
  int inputs() const { return int(first_guess_.size()); }
  /// One residual an observation; a guess and a bend (or a bound) for every unknown.
  int values() const { return int(observations_.size()) + 3 * inputs(); }

  int operator()(const InputType& x, ValueType& residuals) const {
    residuals.setZero();
    const RateFit fit = fit_of(x);
    int row = 0;
    for (const RateObservation& seen : observations_) {
      const double error = std::log(fitted_seconds(fit, seen) / seen.seconds);
      const double size = std::abs(error);
      const double softened = size <= kRateOutlier ? size : std::sqrt(2 * kRateOutlier * size - kRateOutlier * kRateOutlier);
      residuals[row++] = std::copysign(softened, error) / kRateNoise;
    }
    residuals[row++] = (x[0] - first_guess_[0]) / kFixedGuessSd;
    for (const CurveLayout& layout : layouts_) row = add_beliefs(layout, x, residuals, row);
    return 0;
  }

  int df(const InputType& x, JacobianType& jacobian) const {
    constexpr double kDerivativeStep = 1e-6;
    ValueType before(values()), after(values());
    for (int i = 0; i < inputs(); ++i) {
      InputType moved = x;
      moved[i] = x[i] - kDerivativeStep;
      (*this)(moved, before);
      moved[i] = x[i] + kDerivativeStep;
      (*this)(moved, after);
      jacobian.col(i) = (after - before) / (2 * kDerivativeStep);
    }
    return 0;
  }

  RateFit fit_of(const InputType& x) const {
    RateFit fit;
    fit.fixed_seconds = std::exp(x[0]);
    for (const CurveLayout& layout : layouts_) {
      if (layout.curve == 0) fit.curves.emplace_back();
      RateCurve& curve = fit.curves.back().emplace_back();
      for (std::size_t k = 0; k < layout.knots.size(); ++k)
        curve.points.push_back({layout.knots[k], std::exp(x[layout.first + int(k)])});
    }
    return fit;
  }

 private:
  static int add_beliefs(const CurveLayout& layout, const InputType& x, ValueType& residuals, int row) {
    using One = CurveBelief::One;
    const CurveBelief& belief = layout.belief;
    const int count = int(layout.knots.size());
    const auto at = [&](int knot) { return x[layout.first + knot]; };
    const int one = belief.one == One::at_first ? 0 : belief.one == One::at_last ? count - 1 : -1;
    if (count > 1) residuals[row++] = (at(1) - at(0)) / (4 * belief.bend_sd);
    for (int i = 1; i + 1 < count; ++i) residuals[row++] = (at(i - 1) - 2 * at(i) + at(i + 1)) / belief.bend_sd;
    for (int i = 0; i < count; ++i) {
      residuals[row++] = (at(i) - layout.guess) / (i == one ? kFirmly : belief.guess_sd);
      if (belief.one != One::nowhere) residuals[row++] = std::max(0.0, at(i)) / kFirmly;
    }
    return row;
  }

  const std::vector<RateObservation>& observations_;
  std::vector<CurveLayout> layouts_;  // by term, then curve
  InputType first_guess_;
};

}  // namespace

double fitted_seconds(const RateFit& fit, const RateObservation& observation) {
  double seconds = fit.fixed_seconds * observation.fixed;
  for (std::size_t term = 0; term < observation.terms.size(); ++term) {
    double rate = 1;
    for (std::size_t curve = 0; curve < fit.curves[term].size(); ++curve)
      rate *= rate_at(fit.curves[term][curve], observation.terms[term].places[curve]);
    seconds += observation.terms[term].amount / rate;
  }
  return seconds;
}

RateFit fit_rates(const RateModel& model, const std::vector<RateObservation>& observations) {
  DTBENCH_CHECK(!observations.empty());
  Problem problem(model, observations);
  Eigen::VectorXd x = problem.first_guess();
  Eigen::LevenbergMarquardt<Problem> solver(problem);
  solver.parameters.maxfev = 400;
  solver.minimize(x);
  RateFit fit = problem.fit_of(x);
  std::vector<double> errors;
  for (const RateObservation& seen : observations) errors.push_back(std::log(fitted_seconds(fit, seen) / seen.seconds));
  fit.ln_sd = robust_sd(errors);
  return fit;
}

}  // namespace dtbench
