// Measuring plans on this host's cores.
#pragma once

#include <string>
#include <vector>

#include "bench/environment.h"
#include "bench/measure.h"
#include "engine/runtime/engine_session.h"

namespace dtbench {

struct CpuTrial {
  std::string name;  ///< for the progress line
  const StepPlan* plan = nullptr;
  double expected_step_seconds = 0;
};

struct CpuMeasurement {
  std::vector<TrialResult> results;  ///< one per trial
  DisturbanceWatch::Report disturbance;
};

/// All plans are loaded at once and take turns.
CpuMeasurement measure_on_cpu(const std::vector<CpuTrial>& trials, const EngineOptions& options,
                              const TimeBudget& budget, Progress& progress);

}  // namespace dtbench
