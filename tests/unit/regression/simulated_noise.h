// Repetitions as a busy machine gives them: log-normal noise, some far too slow, and a drift while they are taken.
#pragma once

#include <cmath>
#include <random>

#include "reports/regression/metric_samples.h"

namespace dtbench {

struct SimulatedNoise {
  double noise = 0.02;           ///< standard deviation of the logarithm
  double outlier_chance = 0.04;  ///< of one repetition to be 10 to 50 % too slow
  double drift = 0.01;           ///< largest change from the first to the last repetition of a session
  double session_noise = 0;      ///< standard deviation of the logarithm between sessions
};

inline MetricSamples simulated_session(const SimulatedNoise& model, std::size_t repetitions, double level,
                                       std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  MetricSamples metric{"step_seconds", "s", Better::lower, MetricKind::absolute, {}};
  const double session = level * std::exp(model.session_noise * normal(random));
  const double drift = model.drift * (2 * uniform(random) - 1);
  for (std::size_t i = 0; i < repetitions; ++i) {
    const double place = repetitions > 1 ? static_cast<double>(i) / static_cast<double>(repetitions - 1) : 0;
    const bool outlier = uniform(random) < model.outlier_chance;
    const double slow = outlier ? 1.1 + 0.4 * uniform(random) : 1;
    metric.repetitions.push_back(session * slow * std::exp(model.noise * normal(random) + drift * (place - 0.5)));
  }
  return metric;
}

}  // namespace dtbench
