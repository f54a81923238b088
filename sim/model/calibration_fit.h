// Samples measured on a machine -> Calibration, with the error on samples left out of the fit.
#pragma once

#include <string>
#include <vector>

#include "engine/plan/step_plan.h"
#include "sim/model/cost_model.h"
#include "topologies/arithmetic.h"
#include "topologies/calibration.h"
#include "topologies/topology.h"

namespace dtbench {

/// One timed call of a compute op or of the input, with no collective beside it.
struct OpSample {
  std::string kind;  ///< op table row
  Arithmetic arithmetic = Arithmetic::float32;
  double flops = 0, bytes = 0, seconds = 0;
  int devices_busy = 1;
  OpSurroundings around;  ///< surroundings(class, op); fields that are 0 in any sample of a kind get no factor
};

/// One timed all-reduce over `ranks` ranks of one link class.
struct CollectiveSample {
  std::string link_class;
  std::string algorithm;
  int ranks = 2;
  double bytes = 0, seconds = 0;
};

/// One timed whole step: what ops and collectives do not explain becomes overhead and overlap slowdown.
struct StepSample {
  int devices = 1;
  double step_seconds = 0, compute_busy_seconds = 0, communication_busy_seconds = 0;
  std::size_t ops = 0;
  StepPlan plan;  ///< that was run; played in closed form by the fit
};

struct CalibrationSamples {
  std::vector<OpSample> ops;
  std::vector<CollectiveSample> collectives;
  std::vector<StepSample> steps;
};

/// Fits on two thirds of the sizes, reports the median |error| of ops and collectives on the rest as `holdout_error`,
/// then fits on all. What has no sample is kept from `start`.
/// - Curves: regularized non-linear least squares on the logarithm of the times (relative errors).
/// - Ops timed with one device busy make the curves; the same ops with all busy make `crowding`.
/// - Step samples make `step_overhead_seconds` (one device) and `overlap_slowdown` (several).
/// Errors when there is no op sample, or a sample that is not positive and finite.
Calibration fit_calibration(const CalibrationSamples& samples, const Calibration& start, const Topology& topology);

}  // namespace dtbench
