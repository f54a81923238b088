// Every setting of the network library that changes a result, and why it has the value it has.
//
// With them a transfer takes exactly delay + bytes / bandwidth, and concurrent transfers share links max-min with equal
// weights. Measured on versions 3.32, 3.36 and 4.1: the same times to the last digit.
#pragma once

#include <array>
#include <string_view>

namespace dtbench {

struct SimGridSetting {
  std::string_view name;
  std::string_view value;
  std::string_view name_before_3_34;  ///< "" = the same
};

inline constexpr std::array<SimGridSetting, 8> kSimGridSettings = {{
    {"network/model", "CM02", ""},      // no correction factors; "raw" exists only from 3.36 on
    {"network/crosstraffic", "0", ""},  // on by default: answers would cost the way back 5 %
    {"network/TCP-gamma", "1e30", ""},  // the TCP window would cap 100 GB/s; 0 turns it off only from 3.34 on
    {"network/optim", "Lazy", ""},      // least time with many flows that are not synchronous
    {"network/solver", "maxmin", ""},   // the sharing everything here assumes
    {"cpu/optim", "Lazy", ""},          // no processor is simulated, but set with network/optim
    {"precision/timing", "1e-12", "surf/precision"},        // default 1e-9 would merge events closer than 1 ns
    {"precision/work-amount", "1e-9", "maxmin/precision"},  // default 1e-5
}};

/// Links have latency 0: the library weights flows by the latency of their route, and shares would be unequal. Delays
/// are timers before the flow.
inline constexpr double kLinkLatencySeconds = 0;

/// Payloads are whole numbers: bytes are counted in 1/1024, and bandwidths scaled alike, so that a chunk of 1 byte is
/// exact to 0.05 %.
inline constexpr double kPayloadUnitsPerByte = 1024;

}  // namespace dtbench
