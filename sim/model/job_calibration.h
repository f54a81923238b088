// What published training jobs say of a machine that nobody measured: the parameters of job_scaling.h as those of a
// Calibration, so that a planned step meets the links and overheads that real jobs met.
#pragma once

#include <string>

#include "sim/model/job_parameters.h"
#include "topologies/calibration.h"

namespace dtbench {

/// `calibration` with
///   efficiency of the topology's links    what jobs reach of them, all devices taking part
///   parallel_overhead_seconds             fixed, but at most a tenth of `step_seconds`, the anchor's: published steps
///                                         take tens of milliseconds, and a short one need not lose so much
///   crowding                              1 + share
///   overlap_slowdown                      E: what of an exchange is felt although something computes
/// `task` narrows them where jobs of that task were published ("image classification"); "" or an unknown one does not.
/// Links that no published job crossed stay as they are.
Calibration with_job_parameters(Calibration calibration, const Topology& topology, const JobParameters& jobs,
                                const std::string& task, double step_seconds);

}  // namespace dtbench
