#include "reports/verify_json.h"

#include <nlohmann/json.hpp>

#include "reports/value_json.h"

namespace dtbench {

namespace {

constexpr std::string_view kVerifySchema = "dtbench.verify/1";

Json json_of(const VerifyRow& row) {
  return {{"model", row.model},
          {"precision", row.precision},
          {"model_options", dtbench::json_of(row.model_options)},
          {"devices", row.devices},
          {"batch_per_replica", row.batch_per_replica},
          {"predicted", dtbench::json_of(row.predicted)},
          {"measured", dtbench::json_of(row.measured)},
          {"ratio", result_number(row.ratio)}};
}

VerifyRow verify_row_from_json(JsonReader reader) {
  VerifyRow row;
  row.model = reader.string("model");
  row.precision = reader.string("precision");
  row.model_options = read_integer_map(reader, "model_options");
  row.devices = static_cast<int>(reader.integer("devices", 1));
  row.batch_per_replica = reader.integer("batch_per_replica", 1);
  row.predicted = predicted_from_json(reader.object("predicted"));
  row.measured = measured_from_json(reader.object("measured"));
  row.ratio = read_result_number(reader, "ratio");
  reader.finish();
  return row;
}

Json json_of(const VerifyControl& control) {
  return {{"name", control.name},
          {"calibrated_seconds", result_number(control.calibrated_seconds)},
          {"measured_seconds", result_number(control.measured_seconds)}};
}

VerifyControl control_from_json(JsonReader reader) {
  VerifyControl control{reader.string("name"), read_result_number(reader, "calibrated_seconds"),
                        read_result_number(reader, "measured_seconds")};
  reader.finish();
  return control;
}

}  // namespace

std::string verify_result_to_json_text(const VerifyResult& result) {
  Json json = {{"schema", kVerifySchema},
               {"command", result.command},
               {"spec", json_of(result.spec)},
               {"environment", json_of(result.environment)},
               {"calibration", json_of(result.calibration)},
               {"rows", Json::array()},
               {"controls", Json::array()}};
  for (const VerifyRow& row : result.rows) json["rows"].push_back(json_of(row));
  for (const VerifyControl& control : result.controls) json["controls"].push_back(json_of(control));
  json["median_abs_error"] = result_number(result.median_abs_error);
  json["median_abs_error_beside_controls"] = result_number(result.median_abs_error_beside_controls);
  json["worst_abs_error"] = result_number(result.worst_abs_error);
  json["coverage"] = result_number(result.coverage);
  json["tolerance"] = result_number(result.tolerance);
  json["passed"] = result.passed;
  json["timing_of_dtbench"] = json_of(result.timing_of_dtbench);
  return json_text(json);
}

VerifyResult verify_result_from_json(const Json& document, const std::string& name) {
  JsonReader reader(document, name);
  read_schema_name(reader, kVerifySchema);
  VerifyResult result;
  result.command = reader.string("command");
  result.spec = run_spec_from_json(reader.object("spec"));
  result.environment = reader.string_map("environment");
  result.calibration = calibration_report_from_json(reader.object("calibration"));
  for (const JsonReader& row : reader.objects("rows")) result.rows.push_back(verify_row_from_json(row));
  for (const JsonReader& control : reader.objects("controls")) result.controls.push_back(control_from_json(control));
  result.median_abs_error = read_result_number(reader, "median_abs_error");
  result.median_abs_error_beside_controls = read_result_number(reader, "median_abs_error_beside_controls");
  result.worst_abs_error = read_result_number(reader, "worst_abs_error");
  result.coverage = read_result_number(reader, "coverage");
  result.tolerance = read_result_number(reader, "tolerance");
  result.passed = read_boolean(reader, "passed");
  result.timing_of_dtbench = read_result_numbers(reader, "timing_of_dtbench");
  reader.finish();
  return result;
}

}  // namespace dtbench
