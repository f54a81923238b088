#include "reports/regression/google_benchmark.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "reports/regression/sample_file.h"

namespace dtbench {

namespace {

constexpr std::pair<const char*, double> kUnits[] = {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}};

double seconds_per_unit(JsonReader& row) {
  std::vector<std::string> names;
  for (const auto& [name, seconds] : kUnits) names.emplace_back(name);
  const std::string unit = row.has("time_unit") ? row.choice("time_unit", names) : "ns";
  return std::find_if(std::begin(kUnits), std::end(kUnits), [&](const auto& u) { return unit == u.first; })->second;
}

// Versions before 1.5 do not write run_type; their aggregates are told by the end of the name.
bool is_aggregate(JsonReader& row, const std::string& name) {
  if (row.has("run_type")) return row.string("run_type") != "iteration";
  for (const char* end : {"_mean", "_median", "_stddev", "_cv", "_BigO", "_RMS"})
    if (name.ends_with(end)) return true;
  return false;
}

bool failed(JsonReader& row) {
  for (const char* key : {"error_occurred", "skipped"})
    if (row.has(key) && row.boolean_or(key, false)) return true;
  return false;
}

// The metrics while they grow, by name.
class Repetitions {
 public:
  void add(const std::string& name, double seconds) {
    const auto [place, fresh] = index_.try_emplace(name, metrics_.size());
    if (fresh) metrics_.push_back({name, "s", Better::lower, MetricKind::absolute, {}});
    metrics_[place->second].repetitions.push_back(seconds);
  }
  bool empty() const { return metrics_.empty(); }
  void move_to(SampleFile& file) {
    for (MetricSamples& metric : metrics_) add_metric(file, std::move(metric));
  }

 private:
  std::map<std::string, std::size_t> index_;
  std::vector<MetricSamples> metrics_;
};

void read_context(JsonReader& reader, SampleFile& file) {
  if (!reader.has("context")) return;
  reader.object("context");
  for (const auto& [key, value] : reader.raw("context").items())
    file.environment[key] =
        value.is_string() ? value.get<std::string>() : value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

[[noreturn]] void refuse_aggregates(const std::string& path) {
  throw_bad_input({path + ":/benchmarks", "aggregates only (mean, median, stddev)", "the raw repetitions",
                   "run with --benchmark_repetitions=9 and without --benchmark_report_aggregates_only"});
}

Json row_of(const MetricSamples& metric, std::size_t index) {
  return {{"name", metric.name},
          {"run_name", metric.name},
          {"run_type", "iteration"},
          {"repetitions", metric.repetitions.size()},
          {"repetition_index", index},
          {"threads", 1},
          {"iterations", 1},
          {"real_time", metric.repetitions[index]},
          {"cpu_time", metric.repetitions[index]},
          {"time_unit", "s"}};
}

}  // namespace

bool is_google_benchmark(const Json& document) {
  const auto rows = document.find("benchmarks");
  return rows != document.end() && rows->is_array() && !document.contains("schema");
}

void read_google_benchmark(const Json& document, SampleFile& file) {
  JsonReader reader(document, file.path);
  read_context(reader, file);
  Repetitions repetitions;
  bool aggregates = false;
  for (JsonReader& row : reader.objects("benchmarks")) {
    const std::string name = row.string("name");
    if (is_aggregate(row, name)) {
      aggregates = true;
      continue;
    }
    const std::string run_name = row.string_or("run_name", name);
    if (failed(row))
      file.left_out.push_back(
          {run_name, "failed: " + row.string_or("error_message", row.string_or("skip_message", "no message"))});
    else
      repetitions.add(run_name, row.number("real_time") * seconds_per_unit(row));
  }
  if (aggregates && repetitions.empty() && file.left_out.empty()) refuse_aggregates(file.path);
  repetitions.move_to(file);
}

std::string google_benchmark_text(const SampleFile& file, std::vector<LeftOut>& left_out) {
  Json context = Json::object(), rows = Json::array();
  for (const auto& [key, text] : file.environment) context[key] = text;
  context["cpu_time"] = "not measured: repeats real_time";
  context["json_schema_version"] = 1;
  for (const MetricSamples& metric : file.metrics) {
    if (metric.unit != "s" || metric.better != Better::lower) {
      left_out.push_back({metric.name, "Google Benchmark's JSON holds times only"});
      continue;
    }
    for (std::size_t i = 0; i < metric.repetitions.size(); ++i) rows.push_back(row_of(metric, i));
  }
  const Json json = {{"context", context}, {"benchmarks", rows}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace dtbench
