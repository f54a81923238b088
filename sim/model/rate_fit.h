// Times of calls of different sizes -> fixed seconds plus rate curves, by non-linear least squares.
#pragma once

#include <optional>
#include <vector>

#include "topologies/calibration.h"

namespace dtbench {

/// seconds = fixed * fixed_per_call + sum over terms of amount / rate(work).
struct RateObservation {
  struct Term {
    double amount = 0;  ///< FLOPs or bytes to be moved at the rate
    double work = 0;    ///< place on the curve
  };
  double fixed = 1;  ///< how often the fixed seconds are spent
  std::vector<Term> terms;
  double seconds = 0;
};

struct RateFit {
  double fixed_seconds = 0;
  std::vector<RateCurve> curves;  ///< one a term; points only
  double ln_sd = 0;               ///< robust standard deviation of ln(fitted / observed)
};

/// All observations have the same number of terms, in the same order. Knots lie a factor of about 4 apart over the
/// range of the work; neighbouring rates are held together where the observations do not say otherwise.
RateFit fit_rates(const std::vector<RateObservation>& observations);
double fitted_seconds(const RateFit& fit, const RateObservation& observation);

}  // namespace dtbench
