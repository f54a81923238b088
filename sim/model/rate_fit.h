// Times of calls of different sizes -> fixed seconds plus rate curves, by regularized non-linear least squares.
//
//   seconds = fixed * fixed seconds + sum over terms of amount / product of the term's curves, each at its place
//
// The first curve of a term is a rate (FLOP/s, bytes/s), the others are factors on it (narrow rows, cold caches).
#pragma once

#include <vector>

#include "topologies/calibration.h"

namespace dtbench {

/// What is believed of a curve before looking, in natural logarithms.
struct CurveBelief {
  double guess_sd = 3;   ///< how far a value may lie from the guess: the fastest rate seen, times `guess_factor`; 1 for
                         ///< a factor
  double bend_sd = 0.5;  ///< how much the slope may change from knot to knot
  double guess_factor = 1;
  /// A factor is 1 at this end of its places, and at most 1 elsewhere.
  enum class One { nowhere, at_first, at_last } one = One::nowhere;
  double last_place = 1e300;  ///< beyond it all places are alike
};

/// Beliefs of each curve of each term.
using RateModel = std::vector<std::vector<CurveBelief>>;

struct RateObservation {
  struct Term {
    double amount = 0;           ///< FLOPs or bytes
    std::vector<double> places;  ///< one a curve, > 0
  };
  double fixed = 1;  ///< how often the fixed seconds are spent
  std::vector<Term> terms;
  double seconds = 0;
};

struct RateFit {
  double fixed_seconds = 0;
  std::vector<std::vector<RateCurve>> curves;  ///< [term][curve]; points only
  double ln_sd = 0;                            ///< robust standard deviation of ln(fitted / observed)
};

/// Knots lie a factor of about 4 apart over the places seen.
RateFit fit_rates(const RateModel& model, const std::vector<RateObservation>& observations);
double fitted_seconds(const RateFit& fit, const RateObservation& observation);

}  // namespace dtbench
