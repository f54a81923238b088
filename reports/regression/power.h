// What can be found with so many repetitions of so much noise, and how many it would take. Normal theory of the shift
// estimate; `power_test` holds it against simulated noise with outliers.
#pragma once

#include <cstddef>
#include <span>

#include "reports/regression/gate_rule.h"

namespace dtbench {

/// Relative spread of one repetition, robustly, from the logarithms of both samples: 1.4826 MAD of each about its own
/// median, with the factors of Croux and Rousseeuw (1992, COMPSTAT, p. 411-428) for small samples.
double relative_noise(std::span<const double> base_logs, std::span<const double> changed_logs);

/// Standard error of the shift between two samples of logarithms.
double error_of_shift(double noise, std::size_t base, std::size_t changed);

/// The smallest relative change that is found (over the threshold and significant) with 95 % probability.
double minimum_detectable_change(double error, double alpha, double threshold);

/// Repetitions on each side with which `change` is found with 95 % probability.
std::size_t repetitions_to_find(double change, double noise, double alpha, double threshold);
/// Repetitions on each side with which unchanged code is passed, a change by the threshold excluded, with 95 %
/// probability.
std::size_t repetitions_to_pass(double noise, double confidence, double threshold);

}  // namespace dtbench
