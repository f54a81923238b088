// Fitting few hidden numbers that depend on many labels: "the overlap of PyTorch", "the bandwidth on that machine".
//
// Each row has some latents (share of overhead, logarithm of a bandwidth, ...). A latent of a row is its centre plus
// the effects of the row's labels (its framework, its task, its machine). An effect is believed to be 0 within its
// standard deviation, so that a label with little evidence changes little (shrinkage), and one that was never seen
// changes nothing but stays as uncertain as its belief says. The maximum a posteriori is found by Levenberg-Marquardt;
// errors beyond the noise count linearly (Huber).
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace dtbench {

/// One label's contribution to one latent: "exposed/framework=PyTorch".
struct Effect {
  std::string name;
  double belief_sd = 1;
};

/// The effects that a row adds up, by latent.
using RowEffects = std::vector<std::vector<Effect>>;

struct FittedEffect {
  double value = 0;
  double sd = 0;  ///< left after the fit
  double belief_sd = 0;
  bool operator==(const FittedEffect&) const = default;
};
using FittedEffects = std::map<std::string, FittedEffect>;

/// ln(predicted / measured) of a row for these latents.
using RowError = std::function<double(std::size_t row, std::span<const double> latents)>;

struct EffectsProblem {
  std::vector<double> centres;  ///< one a latent
  std::vector<RowEffects> rows;
  RowError error;
  double noise = 0.02;  ///< size of errors that need no explanation
};

FittedEffects fit_effects(const EffectsProblem& problem);

/// The latents of a row: centres plus the effects that the fit knows.
std::vector<double> latents_of(const std::vector<double>& centres, const RowEffects& row, const FittedEffects& fitted);

/// Standard deviation of a function of the latents that comes from the effects, the unseen ones at their belief:
/// independent, linearised.
double effects_sd(const std::vector<double>& centres, const RowEffects& row, const FittedEffects& fitted,
                  const std::function<double(std::span<const double> latents)>& function);

}  // namespace dtbench
