#include <fmt/core.h>

#include <array>
#include <nlohmann/json.hpp>

#include "topologies/base/json_reader.h"
#include "topologies/calibration.h"

namespace dtbench {

namespace {

constexpr const char* kCalibrationSchema = "dtbench.calibration/1";

/// How the points of a curve are called in JSON, unit included.
struct PointKeys {
  const char *work, *rate;
};
constexpr PointKeys kFlopRate = {"flops", "flops_per_second"};
constexpr PointKeys kByteRate = {"bytes", "bytes_per_second"};
constexpr PointKeys kSizeFactor = {"bytes", "factor"};
constexpr PointKeys kWidthFactor = {"elements", "factor"};
constexpr PointKeys kColdFactor = {"step_bytes", "factor"};

std::string text(std::string_view view) { return std::string(view); }

Json to_json(const Parameter& parameter) {
  return {{"value", parameter.value},
          {"ln_sd", parameter.ln_sd},
          {"origin", text(name_of(parameter.origin))},
          {"source", parameter.source}};
}

Json to_json(const RateCurve& curve, PointKeys keys) {
  Json points = Json::array();
  for (const RateCurve::Point& point : curve.points)
    points.push_back({{keys.work, point.work}, {keys.rate, point.rate}});
  return {{"points", std::move(points)},
          {"ln_sd", curve.ln_sd},
          {"origin", text(name_of(curve.origin))},
          {"source", curve.source}};
}

Json to_json(const OpCalibration& op) {
  Json json = {{"overhead_seconds", to_json(op.overhead_seconds)}};
  if (op.flop_rate) json["flop_rate"] = to_json(*op.flop_rate, kFlopRate);
  if (op.byte_rate) json["byte_rate"] = to_json(*op.byte_rate, kByteRate);
  if (op.width_factor) json["width_factor"] = to_json(*op.width_factor, kWidthFactor);
  if (op.cold_factor) json["cold_factor"] = to_json(*op.cold_factor, kColdFactor);
  return json;
}

Json to_json(const LinkCalibration& link) {
  Json json = {{"launch_seconds", to_json(link.launch_seconds)},
               {"alpha_seconds", to_json(link.alpha_seconds)},
               {"efficiency", to_json(link.efficiency)}};
  if (link.size_factor) json["size_factor"] = to_json(*link.size_factor, kSizeFactor);
  return json;
}

Origin read_origin(JsonReader& reader) {
  constexpr std::array kAll = {Origin::measured, Origin::fitted, Origin::data_sheet, Origin::assumed};
  std::vector<std::string> names;
  for (const Origin origin : kAll) names.push_back(text(name_of(origin)));
  const std::string name = reader.choice("origin", names);
  for (const Origin origin : kAll)
    if (name == name_of(origin)) return origin;
  reader.fail("origin", name, "an origin");
}

double read_at_least(JsonReader& reader, const std::string& key, double minimum) {
  const double value = reader.number(key);
  if (value < minimum) reader.fail(key, fmt::format("{}", value), fmt::format("a number >= {}", minimum));
  return value;
}

double read_ln_sd(JsonReader& reader) {
  const double value = read_at_least(reader, "ln_sd", 0);
  if (value > kLargestLnSd) reader.fail("ln_sd", fmt::format("{}", value), fmt::format("0 to {}", kLargestLnSd));
  return value;
}

/// Allowed values of a parameter: minimum <= value <= maximum.
struct Range {
  double minimum = 0, maximum = 1e30;
};

Parameter read_parameter(JsonReader& parent, const std::string& key, Range range) {
  JsonReader reader = parent.object(key);
  Parameter parameter;
  parameter.value = reader.number("value");
  if (parameter.value < range.minimum || parameter.value > range.maximum)
    reader.fail("value", fmt::format("{}", parameter.value),
                fmt::format("a number from {} to {}", range.minimum, range.maximum));
  parameter.ln_sd = read_ln_sd(reader);
  parameter.origin = read_origin(reader);
  parameter.source = reader.string("source");
  reader.finish();
  return parameter;
}

std::optional<RateCurve> read_curve(JsonReader& parent, const std::string& key, PointKeys keys) {
  if (!parent.has(key)) return std::nullopt;
  JsonReader reader = parent.object(key);
  RateCurve curve;
  for (JsonReader& point : reader.objects("points")) {
    curve.points.push_back({point.positive(keys.work), point.positive(keys.rate)});
    if (curve.points.size() > 1 && curve.points.back().work <= curve.points[curve.points.size() - 2].work)
      point.fail(keys.work, fmt::format("{}", curve.points.back().work), "more than the point before");
    point.finish();
  }
  if (curve.points.empty()) reader.fail("points", "no points", "at least one point");
  curve.ln_sd = read_ln_sd(reader);
  curve.origin = read_origin(reader);
  curve.source = reader.string("source");
  reader.finish();
  return curve;
}

OpCalibration read_op(JsonReader& reader) {
  OpCalibration op;
  op.overhead_seconds = read_parameter(reader, "overhead_seconds", {0});
  op.flop_rate = read_curve(reader, "flop_rate", kFlopRate);
  op.byte_rate = read_curve(reader, "byte_rate", kByteRate);
  op.width_factor = read_curve(reader, "width_factor", kWidthFactor);
  op.cold_factor = read_curve(reader, "cold_factor", kColdFactor);
  reader.finish();
  return op;
}

LinkCalibration read_link(JsonReader& reader) {
  LinkCalibration link;
  link.launch_seconds = read_parameter(reader, "launch_seconds", {0});
  link.alpha_seconds = read_parameter(reader, "alpha_seconds", {0});
  link.efficiency = read_parameter(reader, "efficiency", {1e-6});
  link.size_factor = read_curve(reader, "size_factor", kSizeFactor);
  reader.finish();
  return link;
}

/// Reads an object whose keys are names of the file's own.
template <class Value, class Read>
std::map<std::string, Value> read_map(JsonReader& reader, const std::string& key, Read read) {
  JsonReader object = reader.object(key);
  std::map<std::string, Value> values;
  for (const auto& [name, ignored] : reader.raw(key).items()) {
    JsonReader entry = object.object(name);
    values.emplace(name, read(entry));
  }
  object.finish();
  return values;
}

}  // namespace

std::string calibration_to_json_text(const Calibration& calibration) {
  Json json = {{"schema", kCalibrationSchema},
               {"name", calibration.name},
               {"device", calibration.device},
               {"origin", text(name_of(calibration.origin))},
               {"holdout_error", calibration.holdout_error ? Json(*calibration.holdout_error) : Json(nullptr)}};
  json["ops"] = Json::object();
  for (const auto& [key, op] : calibration.ops) json["ops"][key] = to_json(op);
  json["links"] = Json::object();
  for (const auto& [key, link] : calibration.links) json["links"][key] = to_json(link);
  json["step_overhead_seconds"] = to_json(calibration.step_overhead_seconds);
  json["overlap_slowdown"] = to_json(calibration.overlap_slowdown);
  json["crowding"] = to_json(calibration.crowding);
  if (calibration.parallel_overhead_seconds != Parameter{})
    json["parallel_overhead_seconds"] = to_json(calibration.parallel_overhead_seconds);
  json["conditions"] = Json::object();
  for (const auto& [key, value] : calibration.conditions) json["conditions"][key] = value;
  return json.dump(2) + "\n";
}

Calibration calibration_from_json_file(const std::string& path) {
  const Json document = load_json_file(path);
  JsonReader reader(document, path);
  reader.choice("schema", {kCalibrationSchema});
  Calibration calibration;
  calibration.name = reader.string("name");
  calibration.device = reader.string("device");
  calibration.origin = read_origin(reader);
  if (!reader.raw("holdout_error").is_null()) calibration.holdout_error = read_at_least(reader, "holdout_error", 0);
  calibration.ops = read_map<OpCalibration>(reader, "ops", read_op);
  calibration.links = read_map<LinkCalibration>(reader, "links", read_link);
  calibration.step_overhead_seconds = read_parameter(reader, "step_overhead_seconds", {0});
  calibration.overlap_slowdown = read_parameter(reader, "overlap_slowdown", {0, 1});
  calibration.crowding = read_parameter(reader, "crowding", {1});
  if (reader.has("parallel_overhead_seconds"))
    calibration.parallel_overhead_seconds = read_parameter(reader, "parallel_overhead_seconds", {0});
  calibration.conditions = reader.string_map("conditions");
  reader.finish();
  return calibration;
}

}  // namespace dtbench
