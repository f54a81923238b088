// Timed calls of operations -> what an operation costs.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/model/calibration_fit.h"
#include "sim/model/robust_statistics.h"
#include "topologies/calibration.h"

namespace dtbench {

struct OpFits {
  std::map<std::string, OpCalibration> ops;  ///< keys as in Calibration::ops
  /// |error| of each call whose size was left out of a trial fit, weighted by its share of its step.
  std::vector<Weighted> held_out;
};

/// From the samples with the fewest devices busy. Curves are fitted to all of them; their ln_sd is what calls of sizes
/// left out of a trial fit were off, or what calls of the fit are off when that is more.
OpFits fit_ops(const std::vector<OpSample>& samples);

/// How much longer the same calls take with the most devices busy than with one, by the median over the time they take;
/// `otherwise` when no call was timed both ways.
Parameter fit_crowding(const std::vector<OpSample>& samples, const Parameter& otherwise);

}  // namespace dtbench
