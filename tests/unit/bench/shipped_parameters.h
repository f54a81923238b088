// Fitting the published rows again must give what ships: parameters edited by hand, or data that changed without a new
// fit, show here.
#pragma once

#include <string>

namespace dtbench {

/// `json`: a fresh fit; `file`: in topologies/calibrations.
void expect_shipped_parameters(const std::string& json, const std::string& file);

}  // namespace dtbench
