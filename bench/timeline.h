// Predicted and measured steps for --trace and --explain.
#pragma once

#include <string>
#include <vector>

#include "bench/closed_loop.h"
#include "bench/study.h"
#include "reports/text_layout.h"

namespace dtbench {

/// The predicted step of every point asked for, and predicted and measured steps of the closed loop, as one Chrome
/// trace.
std::string timeline(const std::vector<PlannedPoint>& planned, const PredictedPoints& predicted, const HostLoop& host);

/// Where the time goes at the fewest and at the most devices.
std::string explained(const std::vector<PlannedPoint>& planned, const PredictedPoints& predicted,
                      const TextStyle& style);

}  // namespace dtbench
