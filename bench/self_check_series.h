// The workload of `dtbench compare --self-check`: one small training step of the engine, over and over.
#pragma once

#include <cstdint>
#include <vector>

#include "bench/environment.h"
#include "bench/progress.h"
#include "bench/time_budget.h"
#include "topologies/host_probe.h"

namespace dtbench {

struct SelfCheckSeries {
  std::vector<double> step_seconds;  ///< one value a turn (measure.h), in the order of time
  DisturbanceWatch::Report disturbance;
};

/// Takes turns until the budget is used up, on all cores.
SelfCheckSeries measure_self_check(const HostFacts& facts, std::uint64_t seed, const TimeBudget& budget,
                                   Progress& progress);

}  // namespace dtbench
