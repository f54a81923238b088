// Measures this host and fits its calibration: real steps of the engine on a grid of sizes, and its all-reduce alone.
#pragma once

#include <cstdint>
#include <vector>

#include "bench/calibration_grid.h"
#include "bench/machine.h"
#include "bench/progress.h"
#include "bench/time_budget.h"
#include "bench/work_size.h"
#include "sim/model/calibration_fit.h"
#include "topologies/host_probe.h"

namespace dtbench {

struct HostCalibrationRequest {
  Topology topology;  ///< `host`, resolved
  HostFacts facts;
  int threads_per_replica = 1;
  GridRequest grid;
  RunSpec asked;  ///< how replicas talk: buckets, compression, statistics
  std::uint64_t seed = 1;
};

/// The grid of the model and precision of the request at its replica counts (all that the host has, when
/// it names none).
HostCalibrationRequest host_calibration_request(const RunSpec& spec, const HostProbe& probe);

/// A step as the calibration saw it.
struct SampledStep {
  WorkSize size;
  double step_seconds = 0;  ///< median
};

/// Samples until the grid is through; sizes for which there is no time left are skipped, the first one never.
struct HostSamples {
  CalibrationSamples samples;
  std::vector<SampledStep> steps;  ///< one per sampled size
};
HostSamples sample_host(const HostCalibrationRequest& request, const TimeBudget& budget, Progress& progress);

/// fit_calibration of what `sample_host` saw, with the conditions it was made under.
Calibration fit_host(const HostCalibrationRequest& request, const CalibrationSamples& samples);

struct CalibratedHost {
  Machine machine;
  std::vector<SampledStep> steps;  ///< that it was calibrated on, now; none when the calibration is a file
};
/// This host with the calibration file of the request, else calibrated now.
CalibratedHost calibrated_host(const RunSpec& spec, const HostCalibrationRequest& request, const TimeBudget& budget,
                               Progress& progress);

}  // namespace dtbench
