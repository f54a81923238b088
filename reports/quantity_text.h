// Numbers as people read them: with unit, and with no more digits than are known.
//
// The uncertainty (half the width of the band) is shown to one digit, or two when its first is 1 or 2, as in the
// Review of Particle Physics; the value stops at the same decimal, but shows two to four significant digits.
#pragma once

#include <span>
#include <string>

#include "reports/run_result.h"

namespace dtbench {

struct BandText {
  std::string value;  ///< "12.3 ms"
  std::string band;   ///< "11.3..13.4", in the value's unit
  bool operator==(const BandText&) const = default;
};

struct Band {
  double value = 0, low = 0, high = 0;
};

BandText seconds_text(const Band& band);
BandText rate_text(const Band& band);     ///< "41.3 k": per second, thousands as k, millions as M
BandText factor_text(const Band& band);   ///< "5.9"
BandText percent_text(const Band& band);  ///< "74 %" of a share

Band band_of(const Predicted& predicted);
/// Of a measurement: the bootstrap interval of the median for five repetitions or more, else smallest to largest.
Band band_of(const Measured& measured);

/// "31 %", "0.4 %", "< 0.1 %"
std::string share_text(double share);

}  // namespace dtbench
