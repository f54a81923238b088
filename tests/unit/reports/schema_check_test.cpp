#include "reports/schema_check.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reports/result_json.h"
#include "tests/unit/reports/example_result.h"

namespace dtbench {
namespace {

const std::string kSchema = std::string(DTBENCH_SOURCE_DIRECTORY) + "/reports/result.schema.json";

std::vector<std::string> fault_pointers(const char* pointer, const Json& value) {
  Json json = parse_json(run_result_to_json_text(example_run()), "memory");
  json[Json::json_pointer(pointer)] = value;
  std::vector<std::string> pointers;
  for (const SchemaFault& fault : schema_faults(json.dump(), kSchema)) pointers.push_back(fault.pointer);
  return pointers;
}

bool contains(const std::vector<std::string>& pointers, const std::string& pointer) {
  return std::find(pointers.begin(), pointers.end(), pointer) != pointers.end();
}

TEST(SchemaCheck, PointsAtWhatIsWrong) {
  EXPECT_TRUE(contains(fault_pointers("/findings", 3), "/findings"));
  EXPECT_TRUE(contains(fault_pointers("/points/2/devices", 0), "/points/2/devices"));
  EXPECT_TRUE(contains(fault_pointers("/points/2/memory_bytes/verdict", "maybe"), "/points/2/memory_bytes/verdict"));
  EXPECT_TRUE(contains(fault_pointers("/timing_of_dtbench/total", -1), "/timing_of_dtbench/total"));
}

TEST(SchemaCheck, RefusesUnknownKeysNullsWithoutReasonAndReasonsWithoutNull) {
  EXPECT_FALSE(fault_pointers("/unknown", 1).empty());
  EXPECT_FALSE(fault_pointers("/spec/hiden", 1).empty());
  EXPECT_FALSE(fault_pointers("/topology/nodez", 1).empty());
  EXPECT_FALSE(
      fault_pointers("/calibration", {{"name", "a"}, {"source", "b"}, {"origin", "fitted"}, {"holdout_error", nullptr}})
          .empty());
  EXPECT_FALSE(fault_pointers("/closed_loop/reason", "there is an error beside it").empty());
}

TEST(SchemaCheck, ReportsASchemaThatCannotBeRead) {
  EXPECT_THROW(schema_faults("{}", "/nonexistent/schema.json"), Error);
  EXPECT_THROW(schema_faults("{", kSchema), Error);
}

}  // namespace
}  // namespace dtbench
