// A calibration for a device that nobody measured here: data-sheet rates times usual fractions of them.
//
// The rules are data (`calibrations/data_sheet.json`, `dtbench.data_sheet_rules/1`), each with its source and a wide
// ln_sd. Fractions rise with the size of a call, given as the time the call would take at full rate, so that one rule
// fits small and large devices.
#pragma once

#include <string>

#include "topologies/calibration.h"
#include "topologies/topology.h"

namespace dtbench {

/// Rates for each arithmetic the device's data sheet knows; all link classes of the rules.
Calibration data_sheet_calibration(const DeviceSpec& device, const std::string& rules_path);

}  // namespace dtbench
