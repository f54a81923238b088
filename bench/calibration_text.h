// A calibration as a table for people.
#pragma once

#include <string>

#include "reports/text_layout.h"
#include "topologies/calibration.h"

namespace dtbench {

/// Overheads and curves of each kind of operation, links, the whole-step terms, and the error on sizes left out.
std::string calibration_text(const Calibration& calibration, const TextStyle& style);

}  // namespace dtbench
