#include <nlohmann/json.hpp>
#include <string>

#include "engine/plan/run_spec.h"
#include "tests/fuzz/target.h"
#include "topologies/base/error.h"
#include "topologies/base/json_reader.h"

// Any bytes as `--config` file and as `--anchor`; what is accepted survives a round trip.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const dtbench::Json json = dtbench::parse_json(text, "fuzz.json");
    const dtbench::RunSpec spec = dtbench::run_spec_from_json(dtbench::JsonReader(json, "fuzz.json"));
    const dtbench::Json again = dtbench::parse_json(dtbench::run_spec_to_json_text(spec), "again");
    DTBENCH_CHECK(dtbench::run_spec_from_json(dtbench::JsonReader(again, "again")) == spec);
  } catch (const dtbench::Error&) {
  }
  try {
    DTBENCH_CHECK(dtbench::parse_anchor(text).devices >= 1);
  } catch (const dtbench::Error&) {
  }
  return 0;
}
