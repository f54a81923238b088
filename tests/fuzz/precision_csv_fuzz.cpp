#include <string_view>

#include "bench/validation/precision_table.h"
#include "tests/fuzz/target.h"
#include "topologies/base/error.h"

// Any bytes as a table of published pairs of precisions.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto table =
        dtbench::CsvTable::parse({reinterpret_cast<const char*>(data), size}, "fuzz.csv", dtbench::precision_columns());
    dtbench::read_precision_table(table);
  } catch (const dtbench::Error&) {
  }
  return 0;
}
