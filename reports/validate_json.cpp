#include "reports/validate_json.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "reports/value_json.h"

namespace dtbench {

namespace {

constexpr std::string_view kValidateSchema = "dtbench.validate/1";

Json json_of(const ValidateRow& row) {
  DTBENCH_CHECK(row.low <= row.predicted && row.predicted <= row.high);
  return {{"id", row.id},
          {"series", row.series},
          {"groups", dtbench::json_of(row.groups)},
          {"unit", row.unit},
          {"measured", result_number(row.measured)},
          {"predicted", result_number(row.predicted)},
          {"low", result_number(row.low)},
          {"high", result_number(row.high)}};
}

Json json_of(const RowNote& row) { return {{"id", row.id}, {"line", row.line}, {"reason", row.reason}}; }

Json json_of(const ValidateSummary& summary) {
  DTBENCH_CHECK(std::isfinite(summary.bias));
  return {{"median_abs_error", result_number(summary.median_abs_error)},
          {"p90_abs_error", result_number(summary.p90_abs_error)},
          {"bias", summary.bias},
          {"coverage", result_number(summary.coverage)},
          {"band", result_number(summary.band)},
          {"n", summary.n}};
}

Json json_of(const ValidateGroup& group) {
  return {{"by", group.by}, {"name", group.name}, {"summary", json_of(group.summary)}};
}

ValidateRow validate_row_from_json(JsonReader reader) {
  ValidateRow row;
  row.id = reader.string("id");
  row.series = reader.string("series");
  row.groups = reader.string_map("groups");
  row.unit = reader.string("unit");
  row.measured = reader.positive("measured");
  row.predicted = reader.positive("predicted");
  row.low = read_result_number(reader, "low");
  row.high = read_result_number(reader, "high");
  reader.finish();
  return row;
}

RowNote note_from_json(JsonReader reader) {
  RowNote row;
  row.id = reader.string("id");
  row.line = static_cast<int>(reader.integer("line", 1));
  row.reason = reader.string("reason");
  reader.finish();
  return row;
}

ValidateSummary summary_from_json(JsonReader reader) {
  ValidateSummary summary;
  summary.median_abs_error = read_result_number(reader, "median_abs_error");
  summary.p90_abs_error = read_result_number(reader, "p90_abs_error");
  summary.bias = reader.number("bias");
  summary.coverage = read_result_number(reader, "coverage");
  summary.band = read_result_number(reader, "band");
  summary.n = static_cast<int>(reader.integer("n", 0));
  reader.finish();
  return summary;
}

ValidateGroup group_from_json(JsonReader reader) {
  ValidateGroup group;
  group.by = reader.string("by");
  group.name = reader.string("name");
  group.summary = summary_from_json(reader.object("summary"));
  reader.finish();
  return group;
}

}  // namespace

std::string validate_result_to_json_text(const ValidateResult& result) {
  Json json = {{"schema", kValidateSchema},
               {"command", result.command},
               {"kind", result.kind},
               {"data", result.data},
               {"cross_validate", result.cross_validate},
               {"parameters", result.parameters},
               {"environment", dtbench::json_of(result.environment)},
               {"summary", json_of(result.summary)}};
  json["baselines"] = Json::object();
  for (const auto& [name, summary] : result.baselines) json["baselines"][name] = json_of(summary);
  for (const char* list : {"groups", "rows", "skipped", "assumed"}) json[list] = Json::array();
  for (const ValidateGroup& group : result.groups) json["groups"].push_back(json_of(group));
  for (const ValidateRow& row : result.rows) json["rows"].push_back(json_of(row));
  for (const RowNote& row : result.skipped) json["skipped"].push_back(json_of(row));
  for (const RowNote& row : result.assumed) json["assumed"].push_back(json_of(row));
  if (result.max_error) json["max_error"] = result_number(*result.max_error);
  json["passed"] = result.passed;
  json["timing_of_dtbench"] = dtbench::json_of(result.timing_of_dtbench);
  return json_text(json);
}

ValidateResult validate_result_from_json(const Json& document, const std::string& name) {
  JsonReader reader(document, name);
  read_schema_name(reader, kValidateSchema);
  ValidateResult result;
  result.command = reader.string("command");
  result.kind = reader.string("kind");
  result.data = reader.string("data");
  result.cross_validate = reader.string("cross_validate");
  result.parameters = reader.string("parameters");
  result.environment = reader.string_map("environment");
  result.summary = summary_from_json(reader.object("summary"));
  JsonReader baselines = reader.object("baselines");
  for (const auto& [key, ignored] : reader.raw("baselines").items())
    result.baselines[key] = summary_from_json(baselines.object(key));
  baselines.finish();
  for (const JsonReader& group : reader.objects("groups")) result.groups.push_back(group_from_json(group));
  for (const JsonReader& row : reader.objects("rows")) result.rows.push_back(validate_row_from_json(row));
  for (const JsonReader& row : reader.objects("skipped")) result.skipped.push_back(note_from_json(row));
  for (const JsonReader& row : reader.objects("assumed")) result.assumed.push_back(note_from_json(row));
  if (reader.has("max_error")) result.max_error = read_result_number(reader, "max_error");
  result.passed = read_boolean(reader, "passed");
  result.timing_of_dtbench = read_result_numbers(reader, "timing_of_dtbench");
  reader.finish();
  return result;
}

}  // namespace dtbench
