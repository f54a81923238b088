#include "reports/result_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/scaling.h"
#include "reports/value_json.h"
#include "topologies/topology_json.h"

namespace dtbench {

namespace {

constexpr std::string_view kResultSchema = "dtbench.run/1";

// The rows of a point that are a Quantity, in the order of the JSON.
struct QuantityField {
  const char* key;
  Quantity Point::*member;
};
constexpr QuantityField kQuantities[] = {{"step_seconds", &Point::step_seconds},
                                         {"samples_per_second", &Point::samples_per_second},
                                         {"speedup", &Point::speedup},
                                         {"efficiency", &Point::efficiency},
                                         {"exposed_communication_seconds", &Point::exposed_communication_seconds},
                                         {"compute_seconds", &Point::compute_seconds},
                                         {"input_seconds", &Point::input_seconds}};

struct MemoryField {
  const char* key;
  std::int64_t MemoryReport::*member;
};
constexpr MemoryField kMemory[] = {{"weights", &MemoryReport::weights},     {"gradients", &MemoryReport::gradients},
                                   {"optimizer", &MemoryReport::optimizer}, {"activations", &MemoryReport::activations},
                                   {"workspace", &MemoryReport::workspace}, {"total", &MemoryReport::total},
                                   {"capacity", &MemoryReport::capacity}};

const std::vector<std::string> kVerdicts = {"fits", "tight", "no"};
const std::vector<std::string> kSeverities = {"info", "warning", "error"};

bool one_of_names(const std::string& name, const std::vector<std::string>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// "" stands for a text that is missing.
std::string read_text_or_null(JsonReader& reader, const std::string& key) {
  return reader.raw(key).is_null() ? "" : reader.string(key);
}

Json json_of(const MemoryReport& memory) {
  DTBENCH_CHECK(one_of_names(memory.verdict, kVerdicts));
  Json json = Json::object();
  for (const MemoryField& field : kMemory) {
    DTBENCH_CHECK(memory.*field.member >= 0);
    json[field.key] = memory.*field.member;
  }
  json["verdict"] = memory.verdict;
  return json;
}

MemoryReport memory_from_json(JsonReader reader) {
  MemoryReport memory;
  for (const MemoryField& field : kMemory) memory.*field.member = reader.integer(field.key, 0);
  memory.verdict = reader.choice("verdict", kVerdicts);
  reader.finish();
  return memory;
}

Json json_of(const BottleneckReport& bottleneck) {
  Json json = {{"kind", text_or_null(bottleneck.kind)},
               {"link", text_or_null(bottleneck.link)},
               {"share", result_number(bottleneck.share)}};
  if (bottleneck.link.empty()) json["reason"] = "no link is the bottleneck";
  if (bottleneck.kind.empty()) json["reason"] = "not predicted";
  return json;
}

BottleneckReport bottleneck_from_json(JsonReader reader) {
  BottleneckReport bottleneck{read_text_or_null(reader, "kind"), read_text_or_null(reader, "link"),
                              read_result_number(reader, "share")};
  reader.string_or("reason", "");
  reader.finish();
  return bottleneck;
}

Json collective_json(const Point& point) {
  Json json = {{"algorithm", text_or_null(point.collective_algorithm)},
               {"executed_by", text_or_null(point.collective_executed_by)}};
  if (point.collective_algorithm.empty() || point.collective_executed_by.empty())
    json["reason"] = "no collective in this step";
  return json;
}

void read_collective(JsonReader reader, Point& point) {
  point.collective_algorithm = read_text_or_null(reader, "algorithm");
  point.collective_executed_by = read_text_or_null(reader, "executed_by");
  reader.string_or("reason", "");
  reader.finish();
}

Json json_of(const Point& point, const ModelReport& model) {
  Json json = {{"devices", point.devices},
               {"nodes", point.nodes},
               {"global_batch", point.global_batch},
               {"batch_per_replica", point.batch_per_replica}};
  for (const QuantityField& field : kQuantities) json[field.key] = json_of(point.*field.member);
  if (const auto tokens = tokens_per_second(model, point)) json["tokens_per_second"] = json_of(*tokens);
  json["memory_bytes"] = json_of(point.memory_bytes);
  json["bottleneck"] = json_of(point.bottleneck);
  json["collective"] = collective_json(point);
  json["extrapolated_share"] = result_number(point.extrapolated_share);
  return json;
}

Point point_from_json(JsonReader reader) {
  Point point;
  point.devices = static_cast<int>(reader.integer("devices", 1));
  point.nodes = static_cast<int>(reader.integer("nodes", 1));
  point.global_batch = reader.integer("global_batch", 0);
  point.batch_per_replica = reader.integer("batch_per_replica", 0);
  for (const QuantityField& field : kQuantities) point.*field.member = quantity_from_json(reader.object(field.key));
  if (reader.has("tokens_per_second")) quantity_from_json(reader.object("tokens_per_second"));  // derived
  point.memory_bytes = memory_from_json(reader.object("memory_bytes"));
  point.bottleneck = bottleneck_from_json(reader.object("bottleneck"));
  read_collective(reader.object("collective"), point);
  point.extrapolated_share = read_result_number(reader, "extrapolated_share");
  reader.finish();
  return point;
}

Json json_of(const std::vector<Point>& points, const ModelReport& model) {
  Json json = Json::array();
  for (const Point& point : points) json.push_back(json_of(point, model));
  return json;
}

std::vector<Point> read_points(JsonReader& reader) {
  std::vector<Point> points;
  for (const JsonReader& point : reader.objects("points")) points.push_back(point_from_json(point));
  return points;
}

Json json_of(const ClosedLoop& loop, const ModelReport& model) {
  Json json = {
      {"topology", loop.topology}, {"calibration", json_of(loop.calibration)}, {"points", json_of(loop.points, model)}};
  if (loop.median_abs_error)
    json["median_abs_error"] = result_number(*loop.median_abs_error);
  else
    put_null(json, "median_abs_error", loop.reason, "not measured");
  return json;
}

ClosedLoop closed_loop_from_json(JsonReader reader) {
  ClosedLoop loop;
  loop.topology = reader.string("topology");
  loop.calibration = calibration_report_from_json(reader.object("calibration"));
  loop.points = read_points(reader);
  loop.median_abs_error = read_optional_number(reader, "median_abs_error");
  if (!loop.median_abs_error) loop.reason = reader.string("reason");
  reader.finish();
  return loop;
}

Json json_of(const Finding& finding) {
  DTBENCH_CHECK(one_of_names(finding.severity, kSeverities));
  return {{"code", finding.code},
          {"severity", finding.severity},
          {"text", finding.text},
          {"evidence", dtbench::json_of(finding.evidence)}};
}

Finding finding_from_json(JsonReader reader) {
  Finding finding{reader.string("code"), reader.choice("severity", kSeverities), reader.string("text"),
                  read_result_numbers(reader, "evidence")};
  reader.finish();
  return finding;
}

}  // namespace

std::string run_result_to_json_text(const RunResult& result) {
  Json json = {{"schema", kResultSchema},
               {"command", result.command},
               {"spec", json_of(result.spec)},
               {"environment", json_of(result.environment)},
               {"topology", parse_json(topology_to_json_text(result.topology), "topology")},
               {"model", json_of(result.model)},
               {"calibration", json_of(result.calibration)},
               {"points", json_of(result.points, result.model)},
               {"closed_loop", json_of(result.closed_loop, result.model)}};
  json["findings"] = Json::array();
  for (const Finding& finding : result.findings) json["findings"].push_back(json_of(finding));
  json["timing_of_dtbench"] = json_of(result.timing_of_dtbench);
  return json_text(json);
}

RunResult run_result_from_json(const Json& document, const std::string& name) {
  JsonReader reader(document, name);
  read_schema_name(reader, kResultSchema);
  RunResult result;
  result.command = reader.string("command");
  result.spec = run_spec_from_json(reader.object("spec"));
  result.environment = reader.string_map("environment");
  result.topology = topology_from_json(reader.object("topology"));
  result.model = model_report_from_json(reader.object("model"));
  result.calibration = calibration_report_from_json(reader.object("calibration"));
  result.points = read_points(reader);
  result.closed_loop = closed_loop_from_json(reader.object("closed_loop"));
  for (const JsonReader& finding : reader.objects("findings")) result.findings.push_back(finding_from_json(finding));
  result.timing_of_dtbench = read_result_numbers(reader, "timing_of_dtbench");
  reader.finish();
  return result;
}

RunResult run_result_from_json_file(const std::string& path) {
  return run_result_from_json(load_json_file(path), path);
}

}  // namespace dtbench
