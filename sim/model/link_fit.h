// Timed all-reduces -> what a class of links does.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/model/calibration_fit.h"
#include "topologies/calibration.h"
#include "topologies/topology.h"

namespace dtbench {

/// By link class. The launch counts as one more round: samples of one number of ranks can't tell them apart. Samples of
/// links that are not those within a node of the machine are bad-input errors.
std::map<std::string, LinkCalibration> fit_links(const std::vector<CollectiveSample>& samples,
                                                 const Topology& topology);

}  // namespace dtbench
