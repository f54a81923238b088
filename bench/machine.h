// A described machine with what is known about its real speed.
#pragma once

#include <string>

#include "engine/plan/run_spec.h"
#include "engine/plan/strategy.h"
#include "reports/run_result.h"
#include "topologies/calibration.h"
#include "topologies/topology.h"

namespace dtbench {

struct Machine {
  Topology topology;
  Calibration calibration;
  std::string calibration_source;  ///< file, "shipped", "measured by this run"
  bool operator==(const Machine&) const = default;
};

/// --calibration FILE, else the one shipped for the device; pinned by --anchor when there is one. The topology `host`
/// without a file is measured instead (host_calibration.h).
Machine described_machine(const RunSpec& spec, Topology topology);

/// Bad-input error when the device has no units for the matrix products of the precision, naming the precisions that it
/// has them for. A CPU computes all but tf32, fast or not.
void check_precision(const RunSpec& spec, const DeviceSpec& device);

/// An anchor for another model, precision or unit, or for more devices than there are, contradicts the request: bad
/// input.
void check_anchor(const RunSpec& spec, const Topology& topology);

/// The compute rates pinned by the request's anchor, if it has one.
Machine pinned_by_anchor(Machine machine, const RunSpec& spec);

CalibrationReport calibration_report(const Machine& machine);

/// What the planner may assume of devices of this kind.
BackendTraits traits_of(const DeviceSpec& device);

}  // namespace dtbench
