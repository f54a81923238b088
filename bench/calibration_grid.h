// Which sizes a host is calibrated on: steps of the models in question, small enough together for the time there is.
//
// Sizes that someone wants to predict are kept out, so that a calibration is never checked on what it has seen.
#pragma once

#include <vector>

#include "bench/work_scope.h"
#include "bench/work_size.h"

namespace dtbench {

struct GridRequest {
  WorkScope scope;                 ///< replica counts: one, and as many as will be predicted
  std::vector<WorkSize> excluded;  ///< to be predicted later (at any replica count)
  /// Where it matters most: sizes a little smaller and larger than this one come first. None: the whole range evenly.
  std::vector<WorkSize> around;
  double largest_bytes = 0;  ///< memory that a step of all replicas may take; 0 = no limit
};

/// In the order in which they should run: cut off anywhere, the sizes so far span models, precisions and range as well
/// as they can.
std::vector<WorkSize> calibration_grid(const GridRequest& request);

}  // namespace dtbench
