// JSON of the values that several results share; the schema of each is a definition in values.schema.json.
//
// Writing checks the invariants of a result (finite, not negative, low <= value <= high) and aborts when they are
// broken; reading reports broken input as an Error with file and JSON pointer.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "engine/plan/run_spec.h"
#include "reports/run_result.h"
#include "topologies/base/json_reader.h"

namespace dtbench {

/// `value`, checked to be finite and not negative.
double result_number(double value);
/// A number that is not negative.
double read_result_number(JsonReader& reader, const std::string& key);
/// null or a number that is not negative.
std::optional<double> read_optional_number(JsonReader& reader, const std::string& key);
/// Writes `key`: null and `reason` (or `fallback` when that is "") into the object.
void put_null(Json& object, const std::string& key, const std::string& reason, std::string_view fallback);

Json json_of(const Predicted& predicted);
Json json_of(const Measured& measured);
Json json_of(const Quantity& quantity);
Json json_of(const CalibrationReport& calibration);
Json json_of(const ModelReport& model);
Json json_of(const RunSpec& spec);
Json json_of(const Environment& environment);
Json json_of(const std::map<std::string, double>& numbers);
Json json_of(const std::map<std::string, std::int64_t>& numbers);

Predicted predicted_from_json(JsonReader reader);
Measured measured_from_json(JsonReader reader);
Quantity quantity_from_json(JsonReader reader);
CalibrationReport calibration_report_from_json(JsonReader reader);
ModelReport model_report_from_json(JsonReader reader);
std::map<std::string, std::int64_t> read_integer_map(JsonReader& reader, const std::string& key);
/// Numbers that are not negative.
std::map<std::string, double> read_result_numbers(JsonReader& reader, const std::string& key);

/// null for "".
Json text_or_null(const std::string& text);

/// true or false, required.
bool read_boolean(JsonReader& reader, const std::string& key);
/// Refuses any other "schema" than `expected`.
void read_schema_name(JsonReader& reader, std::string_view expected);

/// "\n"-terminated, two spaces of indentation.
std::string json_text(const Json& json);

}  // namespace dtbench
