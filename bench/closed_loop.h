// The same model and strategy on this host, predicted and then measured: the error that stands beside every
// extrapolation.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/environment.h"
#include "bench/host_work.h"
#include "bench/machine.h"
#include "bench/progress.h"
#include "bench/study.h"
#include "bench/time_budget.h"
#include "engine/runtime/backend.h"
#include "reports/run_result.h"
#include "topologies/host_probe.h"

namespace dtbench {

struct HostLoop {
  /// This host, calibrated; absent when nothing was measured.
  std::optional<Machine> machine;
  ClosedLoop report;
  std::optional<DisturbanceWatch::Report> disturbance;  ///< of the measurement, when there was one
  std::vector<PlannedPoint> planned;                    ///< of report.points
  std::vector<StepTrace> predicted;                     ///< of each point
  std::vector<std::optional<StepTrace>> measured;       ///< a typical step of each point that was measured
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
void adopt_measured(PredictedPoints& predicted, const RunSpec& spec, const HostLoop& host);

}  // namespace dtbench
