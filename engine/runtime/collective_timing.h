// How long an all-reduce takes on a back end's devices: the samples that a calibration is fitted to.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/collectives/schedule.h"
#include "engine/runtime/backend.h"

namespace dtbench {

struct CollectiveTimingRequest {
  GroupShape shape;
  std::string algorithm = "ring";
  CollectiveKind kind = CollectiveKind::all_reduce;
  std::vector<std::int64_t> bytes;   ///< float32 buffers; rounded down to whole elements
  int repetitions = 9;               ///< samples per size
  double seconds_per_sample = 1e-3;  ///< calls are repeated back to back until a sample lasts so long
  int threads_per_device = 1;        ///< devices and pinning as in a session
  double wait_limit_seconds = 60;
};

struct CollectiveTiming {
  std::int64_t bytes = 0;
  double seconds = 0;           ///< median over samples of the time of one call, on the slowest member
  std::vector<double> samples;  ///< ascending
};

/// One result per size, in the order of the request. The members run on the communication threads of their devices
/// while nothing else runs there; the wake-up of a sleeping communication thread is not part of it.
std::vector<CollectiveTiming> time_collective(const Backend& backend, const CollectiveTimingRequest& request);

}  // namespace dtbench
