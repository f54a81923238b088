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

/// Everything is fitted to all samples. `holdout_error` is the median |error| of calls whose size a trial fit had not
/// seen (a third of the sizes), weighted by their share of their step. What has no sample is kept from `start`.
/// - op_fit.h: curves from ops timed with one device busy, `crowding` from the same ops with all busy.
/// - link_fit.h: alpha and efficiency over bytes from collectives timed alone.
/// - step_fit.h: overhead of a step and of a collective within one, overlap slowdown.
/// Errors when there is no op sample, or a sample that is not positive and finite.
Calibration fit_calibration(const CalibrationSamples& samples, const Calibration& start, const Topology& topology);

}  // namespace dtbench
