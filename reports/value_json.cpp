#include "reports/value_json.h"

#include <fmt/core.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

namespace dtbench {

namespace {

constexpr std::array kOrigins = {Origin::measured, Origin::fitted, Origin::data_sheet, Origin::assumed};

Origin read_origin(JsonReader& reader) {
  std::vector<std::string> names;
  for (const Origin origin : kOrigins) names.emplace_back(name_of(origin));
  const std::string name = reader.choice("origin", names);
  for (const Origin origin : kOrigins)
    if (name_of(origin) == name) return origin;
  DTBENCH_CHECK(!"choice() returned a name that it was not offered");
  return Origin::assumed;
}

std::string read_reason(JsonReader& reader, bool something_is_missing) {
  if (something_is_missing) return reader.string("reason");
  if (reader.has("reason")) reader.fail("reason", "a reason", "none, since nothing is null here");
  return "";
}

}  // namespace

double result_number(double value) {
  DTBENCH_CHECK(std::isfinite(value) && value >= 0);
  return value;
}

double read_result_number(JsonReader& reader, const std::string& key) {
  const double value = reader.number(key);
  if (value < 0) reader.fail(key, fmt::format("{}", value), "a number that is not negative");
  return value;
}

std::optional<double> read_optional_number(JsonReader& reader, const std::string& key) {
  if (reader.raw(key).is_null()) return std::nullopt;
  return read_result_number(reader, key);
}

void put_null(Json& object, const std::string& key, const std::string& reason, std::string_view fallback) {
  object[key] = nullptr;
  object["reason"] = reason.empty() ? std::string(fallback) : reason;
}

Json json_of(const Predicted& predicted) {
  DTBENCH_CHECK(predicted.low <= predicted.value && predicted.value <= predicted.high);
  return {{"value", result_number(predicted.value)},
          {"low", result_number(predicted.low)},
          {"high", result_number(predicted.high)},
          {"origin", name_of(predicted.origin)}};
}

Json json_of(const Measured& measured) {
  Json repetitions = Json::array();
  for (const double repetition : measured.repetitions) repetitions.push_back(result_number(repetition));
  return {{"value", result_number(measured.value)}, {"repetitions", std::move(repetitions)}};
}

Json json_of(const Quantity& quantity) {
  Json json = Json::object();
  json["predicted"] = quantity.predicted ? json_of(*quantity.predicted) : Json();
  json["measured"] = quantity.measured ? json_of(*quantity.measured) : Json();
  if (!quantity.predicted) put_null(json, "predicted", quantity.reason, "not predicted");
  if (!quantity.measured) put_null(json, "measured", quantity.reason, "not measured");
  return json;
}

Json json_of(const CalibrationReport& calibration) {
  Json json = {{"name", calibration.name}, {"source", calibration.source}, {"origin", name_of(calibration.origin)}};
  if (calibration.holdout_error)
    json["holdout_error"] = result_number(*calibration.holdout_error);
  else
    put_null(json, "holdout_error", calibration.reason, "never checked on sizes left out of the fit");
  return json;
}

Json json_of(const ModelReport& model) {
  DTBENCH_CHECK(model.parameters >= 0);
  return {{"name", model.name},
          {"options", json_of(model.options)},
          {"parameters", model.parameters},
          {"forward_flops_per_sample", result_number(model.forward_flops_per_sample)},
          {"sample_unit", model.sample_unit}};
}

Json json_of(const RunSpec& spec) { return parse_json(run_spec_to_json_text(spec), "spec"); }

Json json_of(const Environment& environment) {
  Json json = Json::object();
  for (const auto& [name, text] : environment) json[name] = text;
  return json;
}

Json json_of(const std::map<std::string, double>& numbers) {
  Json json = Json::object();
  for (const auto& [name, value] : numbers) json[name] = result_number(value);
  return json;
}

Json json_of(const std::map<std::string, std::int64_t>& numbers) {
  Json json = Json::object();
  for (const auto& [name, value] : numbers) json[name] = value;
  return json;
}

Predicted predicted_from_json(JsonReader reader) {
  Predicted predicted;
  predicted.value = read_result_number(reader, "value");
  predicted.low = read_result_number(reader, "low");
  predicted.high = read_result_number(reader, "high");
  predicted.origin = read_origin(reader);
  reader.finish();
  if (predicted.low > predicted.value || predicted.value > predicted.high)
    reader.fail("value", fmt::format("{}", predicted.value),
                fmt::format("low..high = {}..{} around it", predicted.low, predicted.high));
  return predicted;
}

Measured measured_from_json(JsonReader reader) {
  Measured measured{read_result_number(reader, "value"), reader.numbers("repetitions")};
  for (const double repetition : measured.repetitions)
    if (repetition < 0) reader.fail("repetitions", fmt::format("{}", repetition), "numbers that are not negative");
  reader.finish();
  return measured;
}

Quantity quantity_from_json(JsonReader reader) {
  Quantity quantity;
  if (!reader.raw("predicted").is_null()) quantity.predicted = predicted_from_json(reader.object("predicted"));
  if (!reader.raw("measured").is_null()) quantity.measured = measured_from_json(reader.object("measured"));
  quantity.reason = read_reason(reader, !quantity.predicted || !quantity.measured);
  reader.finish();
  return quantity;
}

CalibrationReport calibration_report_from_json(JsonReader reader) {
  CalibrationReport calibration;
  calibration.name = reader.string("name");
  calibration.source = reader.string("source");
  calibration.origin = read_origin(reader);
  calibration.holdout_error = read_optional_number(reader, "holdout_error");
  calibration.reason = read_reason(reader, !calibration.holdout_error);
  reader.finish();
  return calibration;
}

ModelReport model_report_from_json(JsonReader reader) {
  ModelReport model;
  model.name = reader.string("name");
  model.options = read_integer_map(reader, "options");
  model.parameters = reader.integer("parameters", 0);
  model.forward_flops_per_sample = read_result_number(reader, "forward_flops_per_sample");
  model.sample_unit = reader.string("sample_unit");
  reader.finish();
  return model;
}

std::map<std::string, std::int64_t> read_integer_map(JsonReader& reader, const std::string& key) {
  std::map<std::string, std::int64_t> values;
  JsonReader object = reader.object(key);
  for (const auto& item : reader.raw(key).items()) values[item.key()] = object.integer(item.key(), INT64_MIN);
  return values;
}

std::map<std::string, double> read_result_numbers(JsonReader& reader, const std::string& key) {
  std::map<std::string, double> values;
  JsonReader object = reader.object(key);
  for (const auto& item : reader.raw(key).items()) values[item.key()] = read_result_number(object, item.key());
  return values;
}

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

bool read_boolean(JsonReader& reader, const std::string& key) {
  reader.raw(key);  // required
  return reader.boolean_or(key, false);
}

void read_schema_name(JsonReader& reader, std::string_view expected) {
  const std::string found = reader.string("schema");
  if (found != expected) reader.fail("schema", fmt::format("'{}'", found), fmt::format("'{}'", expected));
}

std::string json_text(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

}  // namespace dtbench
