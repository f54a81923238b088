#include "sim/model/rate_fit.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <unsupported/Eigen/NonLinearOptimization>

#include "topologies/base/error.h"

namespace dtbench {

namespace {

constexpr double kKnotSpacing = 4;  // in work
/// Standard deviations (natural logarithms) of what is believed before looking: a rate changes by this much more than
/// its neighbours let expect; rates and fixed seconds lie this near their first guesses.
constexpr double kBendSd = 0.5, kGuessSd = 3;
/// Relative size of errors that need no explanation.
constexpr double kNoise = 0.03;
constexpr double kOutlier = 3 * kNoise;  // beyond it an error counts linearly (Huber)

/// Where the parameters of one curve stand in the vector of unknowns.
struct CurveLayout {
  std::vector<double> knots;
  int first = 0;
  double guess = 0;  // rate
};

std::vector<double> knots_over(double low, double high) {
  const int steps = int(std::ceil(std::log(high / low) / std::log(kKnotSpacing) - 1e-9));
  std::vector<double> knots = {low};
  for (int i = 1; i <= steps; ++i) knots.push_back(low * std::pow(high / low, double(i) / steps));
  if (steps > 0) knots.back() = high;
  return knots;
}

std::vector<CurveLayout> layouts_of(const std::vector<RateObservation>& observations) {
  std::vector<CurveLayout> layouts;
  int next = 1;  // 0 is the fixed part
  for (std::size_t term = 0; term < observations.front().terms.size(); ++term) {
    double low = std::numeric_limits<double>::infinity(), high = 0, fastest = 0;
    for (const RateObservation& seen : observations) {
      low = std::min(low, seen.terms[term].work);
      high = std::max(high, seen.terms[term].work);
      fastest = std::max(fastest, seen.terms[term].amount / seen.seconds);
    }
    layouts.push_back({knots_over(low, high), next, fastest * double(observations.front().terms.size())});
    next += int(layouts.back().knots.size());
  }
  return layouts;
}

class Problem {
 public:
  using Scalar = double;
  using InputType = Eigen::VectorXd;
  using ValueType = Eigen::VectorXd;
  using JacobianType = Eigen::MatrixXd;
  enum { InputsAtCompileTime = Eigen::Dynamic, ValuesAtCompileTime = Eigen::Dynamic };

  explicit Problem(const std::vector<RateObservation>& observations)
      : observations_(observations), layouts_(layouts_of(observations)) {
    double shortest = std::numeric_limits<double>::infinity();
    for (const RateObservation& seen : observations)
      shortest = std::min(shortest, seen.seconds / std::max(seen.fixed, 1.0));
    first_guess_.resize(layouts_.empty() ? 1 : layouts_.back().first + int(layouts_.back().knots.size()));
    first_guess_[0] = std::log(shortest / 4);
    for (const CurveLayout& layout : layouts_)
      first_guess_.segment(layout.first, int(layout.knots.size())).setConstant(std::log(layout.guess));
    for (const CurveLayout& layout : layouts_)
      bends_ += std::max(0, int(layout.knots.size()) - 2) + (layout.knots.size() > 1);
  }

  const InputType& first_guess() const { return first_guess_; }
  int inputs() const { return int(first_guess_.size()); }
  int values() const { return int(observations_.size()) + bends_ + inputs(); }

  int operator()(const InputType& x, ValueType& residuals) const {
    const RateFit fit = fit_of(x);
    int row = 0;
    for (const RateObservation& seen : observations_) {
      const double error = std::log(fitted_seconds(fit, seen) / seen.seconds);
      const double size = std::abs(error);
      const double softened = size <= kOutlier ? size : std::sqrt(2 * kOutlier * size - kOutlier * kOutlier);
      residuals[row++] = std::copysign(softened, error) / kNoise;
    }
    for (const CurveLayout& layout : layouts_) {
      const int count = int(layout.knots.size());
      if (count > 1) residuals[row++] = (x[layout.first + 1] - x[layout.first]) / (4 * kBendSd);
      for (int i = 1; i + 1 < count; ++i)
        residuals[row++] = (x[layout.first + i - 1] - 2 * x[layout.first + i] + x[layout.first + i + 1]) / kBendSd;
    }
    for (int i = 0; i < inputs(); ++i) residuals[row++] = (x[i] - first_guess_[i]) / kGuessSd;
    return 0;
  }

  int df(const InputType& x, JacobianType& jacobian) const {
    constexpr double kStep = 1e-6;
    ValueType before(values()), after(values());
    for (int i = 0; i < inputs(); ++i) {
      InputType moved = x;
      moved[i] = x[i] - kStep;
      (*this)(moved, before);
      moved[i] = x[i] + kStep;
      (*this)(moved, after);
      jacobian.col(i) = (after - before) / (2 * kStep);
    }
    return 0;
  }

  RateFit fit_of(const InputType& x) const {
    RateFit fit;
    fit.fixed_seconds = std::exp(x[0]);
    for (const CurveLayout& layout : layouts_) {
      RateCurve& curve = fit.curves.emplace_back();
      for (std::size_t i = 0; i < layout.knots.size(); ++i)
        curve.points.push_back({layout.knots[i], std::exp(x[layout.first + int(i)])});
    }
    return fit;
  }

 private:
  const std::vector<RateObservation>& observations_;
  std::vector<CurveLayout> layouts_;
  InputType first_guess_;
  int bends_ = 0;
};

double robust_ln_sd(const RateFit& fit, const std::vector<RateObservation>& observations) {
  std::vector<double> sizes;
  for (const RateObservation& seen : observations)
    sizes.push_back(std::abs(std::log(fitted_seconds(fit, seen) / seen.seconds)));
  std::nth_element(sizes.begin(), sizes.begin() + std::ptrdiff_t(sizes.size() / 2), sizes.end());
  constexpr double kMedianToSd = 1.4826;  // of a normal distribution
  return kMedianToSd * sizes[sizes.size() / 2];
}

}  // namespace

double fitted_seconds(const RateFit& fit, const RateObservation& observation) {
  double seconds = fit.fixed_seconds * observation.fixed;
  for (std::size_t term = 0; term < observation.terms.size(); ++term)
    seconds += observation.terms[term].amount / rate_at(fit.curves[term], observation.terms[term].work);
  return seconds;
}

RateFit fit_rates(const std::vector<RateObservation>& observations) {
  DTBENCH_CHECK(!observations.empty());
  Problem problem(observations);
  Eigen::VectorXd x = problem.first_guess();
  Eigen::LevenbergMarquardt<Problem> solver(problem);
  solver.parameters.maxfev = 400;
  solver.minimize(x);
  RateFit fit = problem.fit_of(x);
  fit.ln_sd = robust_ln_sd(fit, observations);
  return fit;
}

}  // namespace dtbench
