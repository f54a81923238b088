// What the true machine might be: calibrations drawn around the nominal one.
#pragma once

#include <cstdint>

#include "topologies/calibration.h"
#include "topologies/topology.h"

namespace dtbench {

/// Draw number `index` of `seed`: every parameter times a log-normal factor of its ln_sd. The factor of a parameter
/// depends on seed, index and the parameter only, so that draw k is the same machine for every plan: ratios of draws
/// (speed-up) are draws of the ratio.
/// - Rates that were not measured here err together (one software stack, one guess): one factor for all of them, and
///   one for their overheads, one a link class. Half of the variance of measured ones is shared too (one clock, one
///   cache, the same neighbours on the machine), the other half is each one's own.
/// - Outside the points of a curve nothing was measured: there the draw continues with a slope of its own.
/// - No draw is better than the data sheet allows, unless the nominal value already is.
Calibration drawn_calibration(const Calibration& nominal, const Topology& topology, std::uint64_t seed, int index);

}  // namespace dtbench
