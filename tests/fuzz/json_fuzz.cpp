#include <nlohmann/json.hpp>
#include <string>

#include "tests/fuzz/target.h"
#include "topologies/base/error.h"
#include "topologies/base/json_reader.h"

// Any bytes as JSON, read with every kind of getter.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const dtbench::Json json = dtbench::parse_json({reinterpret_cast<const char*>(data), size}, "fuzz.json");
    dtbench::JsonReader reader(json, "fuzz.json");
    reader.string_or("name", "");
    reader.number_or("number", 0);
    reader.integer_or("count", 1, 1);
    reader.boolean_or("flag", false);
    if (reader.has("map")) reader.number_map("map");
    if (reader.has("list")) reader.numbers("list");
    for (dtbench::JsonReader& item : reader.objects("objects")) item.finish();
    reader.finish();
  } catch (const dtbench::Error&) {
  }
  return 0;
}
