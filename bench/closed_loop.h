// The same model and strategy on this host, predicted and then measured: the error that stands beside every
// extrapolation.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/environment.h"
#include "bench/machine.h"
#include "bench/progress.h"
#include "bench/study.h"
#include "bench/time_budget.h"
#include "engine/runtime/backend.h"
#include "reports/run_result.h"
#include "topologies/host_probe.h"

namespace dtbench {

/// What of the request can run here. Either `planned` holds points or `reason` says why there is none.
struct HostWork {
  RunSpec spec;  ///< topology host, its device counts and threads
  Topology topology;
  int threads_per_replica = 1;
  std::vector<PlannedPoint> planned;
  std::string reduced;  ///< what was made smaller, and why; "" when nothing was
  std::string reason;
};

/// Plans the request at the replica counts that this host has cores for; a batch that needs more than 80 % of the free
/// memory, or longer than `seconds` at the device's peak rate, is halved until it fits.
HostWork plan_host_work(const RunSpec& asked, const HostProbe& probe, double seconds);

struct HostLoop {
  /// This host, calibrated; absent when nothing was measured.
  std::optional<Machine> machine;
  ClosedLoop report;
  std::optional<DisturbanceWatch::Report> disturbance;  ///< of the measurement, when there was one
  std::string reduced;
};

/// Predicts the points, then measures them interleaved within the budget. When the prediction says that they take
/// longer, the batch is halved until they do not; when not even that helps, nothing is run and `report.reason` says so.
HostLoop close_loop(HostWork work, Machine host, const TimeBudget& budget, Progress& progress);

/// All of the above, as --measure says; about 40 % of the budget goes to the calibration. With --measure required, an
/// error (run_failed) that tells why nothing could be measured.
HostLoop run_on_host(const RunSpec& asked, const HostProbe& probe, const TimeBudget& budget, Progress& progress);

/// The machine that the request is about, before anything is measured, so that a bad calibration file or anchor is
/// refused at once; absent for `host` when the loop will calibrate it.
std::optional<Machine> machine_before_measuring(const RunSpec& spec, const Topology& topology);
Machine machine_after_measuring(const RunSpec& spec, const std::optional<Machine>& before, const HostLoop& host);

/// When the request asks for `host`, its points take over what the loop measured of the same work.
void adopt_measured(std::vector<Point>& points, const RunSpec& spec, const HostLoop& host);

}  // namespace dtbench
