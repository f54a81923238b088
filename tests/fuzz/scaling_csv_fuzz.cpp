#include <string_view>

#include "bench/validation/scaling_table.h"
#include "tests/fuzz/target.h"
#include "topologies/base/error.h"

// Any bytes as a table of published throughputs.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto table =
        dtbench::CsvTable::parse({reinterpret_cast<const char*>(data), size}, "fuzz.csv", dtbench::scaling_columns());
    dtbench::read_scaling_table(table);
  } catch (const dtbench::Error&) {
  }
  return 0;
}
