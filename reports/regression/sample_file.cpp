#include "reports/regression/sample_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "reports/regression/google_benchmark.h"
#include "reports/regression/result_samples.h"
#include "topologies/base/suggest.h"

namespace dtbench {

namespace {

constexpr std::array<SampleFormat, 5> kSampleFormats = {{
    {"dtbench.run/1", read_run_samples},
    {"dtbench.verify/1", read_verify_samples},
    {"dtbench.train/1", read_train_samples},
    {"dtbench.bench/1", read_bench_samples},
    {"google-benchmark", read_google_benchmark},
}};

bool is_of(const Json& document, std::string_view format) {
  if (is_google_benchmark(document)) return format == "google-benchmark";
  const auto schema = document.find("schema");
  return schema != document.end() && schema->is_string() && schema->get<std::string>() == format;
}

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const SampleFormat& format : sample_formats()) names.emplace_back(format.name);
  return names;
}

[[noreturn]] void refuse_format(const Json& document, const std::string& path) {
  const auto schema = document.find("schema");
  if (schema == document.end() || !schema->is_string())
    throw_bad_input({path, "neither a result of dtbench (\"schema\") nor Google Benchmark's JSON (\"benchmarks\")",
                     one_of(format_names()), "Google Benchmark: --benchmark_out=FILE --benchmark_repetitions=9"});
  const std::string name = schema->get<std::string>();
  throw_bad_input({path + ":/schema", fmt::format("'{}'", name.substr(0, 60)), one_of(format_names()),
                   did_you_mean(name, format_names())});
}

std::string reasons_of(const SampleFile& file) {
  if (file.left_out.empty()) return "no metric";
  std::string text =
      fmt::format("no metric with raw repetitions ({}: {})", file.left_out[0].name, file.left_out[0].reason);
  if (file.left_out.size() > 1) text += fmt::format(" and {} more", file.left_out.size() - 1);
  return text;
}

// Logarithms and ratios are taken.
bool can_be_compared(double value) { return value >= 1e-30 && value <= 1e30; }

void require_distinct_names(const SampleFile& file) {
  std::set<std::string_view> names;
  for (const MetricSamples& metric : file.metrics)
    if (!names.insert(metric.name).second)
      throw_bad_input({file.path, fmt::format("metric '{}' twice", metric.name), "each name once", ""});
}

}  // namespace

std::span<const SampleFormat> sample_formats() { return kSampleFormats; }

void add_metric(SampleFile& file, MetricSamples metric) {
  if (metric.repetitions.empty()) {
    file.left_out.push_back({metric.name, "no repetitions"});
  } else if (!std::all_of(metric.repetitions.begin(), metric.repetitions.end(), can_be_compared)) {
    file.left_out.push_back({metric.name, "a repetition is not above 0, or beyond any physical quantity"});
  } else {
    file.metrics.push_back(std::move(metric));
  }
}

SampleFile sample_file_from_json(const Json& document, const std::string& path) {
  if (!document.is_object()) throw_bad_input({path, document.type_name(), "a JSON object", ""});
  for (const SampleFormat& format : sample_formats()) {
    if (!is_of(document, format.name)) continue;
    SampleFile file{path, std::string(format.name)};
    format.read(document, file);
    require_distinct_names(file);
    if (file.metrics.empty()) throw_bad_input({path, reasons_of(file), "at least one", ""});
    return file;
  }
  refuse_format(document, path);
}

SampleFile sample_file_from_path(const std::string& path) { return sample_file_from_json(load_json_file(path), path); }

}  // namespace dtbench
