#include "reports/bench_json.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "reports/value_json.h"

namespace dtbench {

namespace {

constexpr std::string_view kSchema = "dtbench.bench/1";

std::string_view name_of(Better better) { return better == Better::lower ? "lower" : "higher"; }

Json json_of(const BenchMetric& metric) {
  return {{"name", metric.name},
          {"unit", metric.unit},
          {"better", name_of(metric.better)},
          {"value", result_number(metric.measured.value)},
          {"repetitions", dtbench::json_of(metric.measured).at("repetitions")},
          {"details", dtbench::json_of(metric.details)}};
}

std::vector<double> repetitions_from(JsonReader& reader) {
  std::vector<double> repetitions = reader.numbers("repetitions");
  if (repetitions.empty()) reader.fail("repetitions", "none", "at least one");
  for (const double repetition : repetitions)
    if (repetition < 0) reader.fail("repetitions", fmt::format("{}", repetition), "numbers that are not negative");
  return repetitions;
}

BenchMetric metric_from_json(JsonReader reader) {
  BenchMetric metric;
  metric.name = reader.string("name");
  metric.unit = reader.string("unit");
  metric.better = reader.choice("better", {"lower", "higher"}) == "lower" ? Better::lower : Better::higher;
  metric.measured.value = read_result_number(reader, "value");
  metric.measured.repetitions = repetitions_from(reader);
  metric.details = read_result_numbers(reader, "details");
  reader.finish();
  return metric;
}

}  // namespace

std::string bench_result_to_json_text(const BenchResult& result) {
  Json json = {{"schema", kSchema},
               {"command", result.command},
               {"environment", dtbench::json_of(result.environment)},
               {"metrics", Json::array()}};
  for (const BenchMetric& metric : result.metrics) json["metrics"].push_back(json_of(metric));
  json["timing_of_dtbench"] = dtbench::json_of(result.timing_of_dtbench);
  return json_text(json);
}

BenchResult bench_result_from_json(const Json& document, const std::string& name) {
  JsonReader reader(document, name);
  read_schema_name(reader, kSchema);
  BenchResult result;
  result.command = reader.string("command");
  result.environment = reader.string_map("environment");
  for (const JsonReader& metric : reader.objects("metrics")) result.metrics.push_back(metric_from_json(metric));
  result.timing_of_dtbench = read_result_numbers(reader, "timing_of_dtbench");
  reader.finish();
  return result;
}

}  // namespace dtbench
