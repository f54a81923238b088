#include <cmath>
#include <string_view>

#include "tests/fuzz/target.h"
#include "topologies/base/error.h"
#include "topologies/base/units.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    DTBENCH_CHECK(dtbench::parse_bytes(text, "fuzz") >= 0);
  } catch (const dtbench::Error&) {
  }
  try {
    const double seconds = dtbench::parse_seconds(text, "fuzz");
    DTBENCH_CHECK(std::isfinite(seconds) && seconds >= 0);
  } catch (const dtbench::Error&) {
  }
  try {
    DTBENCH_CHECK(dtbench::parse_integer(text, "fuzz", 1) >= 1);
  } catch (const dtbench::Error&) {
  }
  return 0;
}
