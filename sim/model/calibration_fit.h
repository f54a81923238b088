// Samples measured on a machine -> Calibration, with the error on samples left out of the fit.
#pragma once

#include <string>
#include <vector>

#include "topologies/arithmetic.h"
#include "topologies/calibration.h"

namespace dtbench {

/// One timed call of a compute op.
struct OpSample {
  std::string kind;  ///< op table row
  Arithmetic arithmetic = Arithmetic::float32;
  double flops = 0, bytes = 0, seconds = 0;
  int devices_busy = 1;
};

/// One timed all-reduce over `ranks` ranks of one link class.
struct CollectiveSample {
  std::string link_class;
  std::string algorithm;
  int ranks = 2;
  double bytes = 0, seconds = 0;
};

/// One timed whole step: what ops and collectives do not explain becomes overhead, overlap slowdown, crowding.
struct StepSample {
  int devices = 1;
  double step_seconds = 0, compute_busy_seconds = 0, communication_busy_seconds = 0;
  std::size_t ops = 0;
};

struct CalibrationSamples {
  std::vector<OpSample> ops;
  std::vector<CollectiveSample> collectives;
  std::vector<StepSample> steps;
};

/// Fits on two thirds of the sizes, reports the median |error| on the rest as `holdout_error`, then fits on all.
/// Errors when a needed kind has no sample.
Calibration fit_calibration(const CalibrationSamples& samples, const Calibration& start);

}  // namespace dtbench
