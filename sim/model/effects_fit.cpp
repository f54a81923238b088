#include "sim/model/effects_fit.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "topologies/base/error.h"

namespace dtbench {

namespace {

constexpr double kStep = 1e-5;  // of the numerical derivatives by a latent
constexpr int kMostIterations = 80, kMostTries = 14;
constexpr double kFirstDamping = 1e-3, kLeastDamping = 1e-9, kEnough = 1e-5;

/// d error / d latent of one row, by central differences.
template <class Function>
std::vector<double> slopes(std::vector<double> latents, const Function& function) {
  std::vector<double> by_latent;
  for (double& latent : latents) {
    const double at = latent;
    latent = at + kStep;
    const double above = function(latents);
    latent = at - kStep;
    by_latent.push_back((above - function(latents)) / (2 * kStep));
    latent = at;
  }
  return by_latent;
}

class Solver {
 public:
  explicit Solver(const EffectsProblem& problem) : problem_(problem) {
    for (const RowEffects& row : problem.rows) {
      DTBENCH_CHECK(row.size() == problem.centres.size());
      std::vector<std::vector<int>>& indices = rows_.emplace_back();
      for (const std::vector<Effect>& effects : row) {
        indices.emplace_back();
        for (const Effect& effect : effects) indices.back().push_back(index_of(effect));
      }
    }
    values_ = Eigen::VectorXd::Zero(Eigen::Index(beliefs_.size()));
  }

  FittedEffects solve() {
    double cost = cost_at(values_), damping = kFirstDamping;
    for (int i = 0; i < kMostIterations; ++i) {
      linearise();
      const double before = cost;
      if (!improve(cost, damping) || before - cost < kEnough) break;
    }
    linearise();
    const Eigen::MatrixXd covariance = curvature_.ldlt().solve(Eigen::MatrixXd::Identity(values_.size(), values_.size()));
    FittedEffects fitted;
    for (const auto& [name, index] : index_)
      fitted[name] = {values_[index], std::sqrt(std::max(covariance(index, index), 0.0)), beliefs_[std::size_t(index)]};
    return fitted;
  }

 private:
  int index_of(const Effect& effect) {
    DTBENCH_CHECK(effect.belief_sd > 0);
    const auto [found, fresh] = index_.try_emplace(effect.name, int(beliefs_.size()));
    if (fresh) beliefs_.push_back(effect.belief_sd);
    return found->second;
  }

  std::vector<double> latents(std::size_t row, const Eigen::VectorXd& values) const {
    std::vector<double> at = problem_.centres;
    for (std::size_t latent = 0; latent < at.size(); ++latent)
      for (const int index : rows_[row][latent]) at[latent] += values[index];
    return at;
  }

  double cost_at(const Eigen::VectorXd& values) const {
    double cost = 0;
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      const double size = std::abs(problem_.error(row, latents(row, values))) / problem_.noise;
      cost += size <= 1 ? size * size / 2 : size - 0.5;
    }
    for (Eigen::Index i = 0; i < values.size(); ++i) cost += std::pow(values[i] / beliefs_[std::size_t(i)], 2) / 2;
    return cost;
  }

  /// Gradient and curvature (Gauss-Newton, weights of Huber) of the cost at the present values.
  void linearise() {
    const Eigen::Index count = values_.size();
    curvature_ = Eigen::MatrixXd::Zero(count, count);
    gradient_ = Eigen::VectorXd::Zero(count);
    for (std::size_t row = 0; row < rows_.size(); ++row) add_row(row);
    for (Eigen::Index i = 0; i < count; ++i) {
      const double weight = std::pow(beliefs_[std::size_t(i)], -2);
      curvature_(i, i) += weight;
      gradient_[i] += weight * values_[i];
    }
  }

  void add_row(std::size_t row) {
    const auto error = [&](const std::vector<double>& latents) { return problem_.error(row, latents); };
    const std::vector<double> at = latents(row, values_);
    const double here = error(at);
    const std::vector<double> slope = slopes(at, error);
    const double weight = std::min(1.0, problem_.noise / std::max(std::abs(here), 1e-300)) / std::pow(problem_.noise, 2);
    for (std::size_t a = 0; a < slope.size(); ++a)
      for (const int i : rows_[row][a]) {
        gradient_[i] += weight * slope[a] * here;
        for (std::size_t b = 0; b < slope.size(); ++b)
          for (const int j : rows_[row][b]) curvature_(i, j) += weight * slope[a] * slope[b];
      }
  }

  bool improve(double& cost, double& damping) {
    for (int i = 0; i < kMostTries; ++i) {
      Eigen::MatrixXd damped = curvature_;
      damped.diagonal() *= 1 + damping;
      const Eigen::VectorXd tried = values_ - damped.ldlt().solve(gradient_);
      const double tried_cost = cost_at(tried);
      if (tried_cost < cost) {
        values_ = tried;
        cost = tried_cost;
        damping = std::max(damping / 5, kLeastDamping);
        return true;
      }
      damping *= 4;
    }
    return false;
  }

  const EffectsProblem& problem_;
  std::map<std::string, int> index_;
  std::vector<double> beliefs_;
  std::vector<std::vector<std::vector<int>>> rows_;  // row, latent, effects
  Eigen::VectorXd values_, gradient_;
  Eigen::MatrixXd curvature_;
};

}  // namespace

FittedEffects fit_effects(const EffectsProblem& problem) { return Solver(problem).solve(); }

std::vector<double> latents_of(const std::vector<double>& centres, const RowEffects& row, const FittedEffects& fitted) {
  std::vector<double> latents = centres;
  for (std::size_t latent = 0; latent < latents.size(); ++latent)
    for (const Effect& effect : row[latent])
      if (const auto found = fitted.find(effect.name); found != fitted.end()) latents[latent] += found->second.value;
  return latents;
}

double effects_sd(const std::vector<double>& centres, const RowEffects& row, const FittedEffects& fitted,
                  const std::function<double(std::span<const double> latents)>& function) {
  const std::vector<double> slope = slopes(latents_of(centres, row, fitted), function);
  double variance = 0;
  for (std::size_t latent = 0; latent < slope.size(); ++latent)
    for (const Effect& effect : row[latent]) {
      const auto found = fitted.find(effect.name);
      variance += std::pow(slope[latent] * (found == fitted.end() ? effect.belief_sd : found->second.sd), 2);
    }
  return std::sqrt(variance);
}

}  // namespace dtbench
