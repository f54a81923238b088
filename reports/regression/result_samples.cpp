#include "reports/regression/result_samples.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "reports/regression/sample_file.h"

namespace dtbench {

namespace {

// What a request may differ in without measuring something else.
constexpr std::array<std::string_view, 8> kFreeOfSpec = {"time_budget_seconds", "seed",   "measure", "fidelity",
                                                         "calibration",         "anchor", "devices", "topology"};

void read_conditions(JsonReader& reader, SampleFile& file) {
  file.environment = reader.string_map("environment");
  if (!reader.has("spec")) return;
  for (const auto& [key, value] : reader.raw("spec").items())
    if (std::find(kFreeOfSpec.begin(), kFreeOfSpec.end(), key) == kFreeOfSpec.end() && !value.is_null())
      file.environment["spec." + key] = value.is_string() ? value.get<std::string>() : value.dump();
}

std::vector<double> repetitions_of(JsonReader& quantity) {
  if (!quantity.has("measured") || quantity.raw("measured").is_null()) return {};
  return quantity.object("measured").numbers("repetitions");
}

// "devices:2/batch:256"
std::string name_of_size(JsonReader& row) {
  return fmt::format("devices:{}/batch:{}", row.integer("devices", 1), row.integer("batch_per_replica", 0));
}

void read_points(JsonReader& parent, SampleFile& file) {
  for (JsonReader& point : parent.objects("points")) {
    const std::string size = name_of_size(point);
    JsonReader step = point.object("step_seconds");
    add_metric(file, {"step_seconds/" + size, "s", Better::lower, MetricKind::absolute, repetitions_of(step)});
    if (!point.has("efficiency") || point.integer("devices", 1) == 1) continue;
    JsonReader efficiency = point.object("efficiency");
    std::vector<double> repetitions = repetitions_of(efficiency);
    if (!repetitions.empty())
      add_metric(file, {"efficiency/" + size, "", Better::higher, MetricKind::ratio, std::move(repetitions)});
  }
}

std::string options_of(JsonReader& row) {
  std::string text;
  for (const char* key : {"model", "precision"})
    if (row.has(key)) text += row.string(key) + "/";
  if (!row.has("model_options")) return text;
  JsonReader options = row.object("model_options");
  for (const auto& item : row.raw("model_options").items())
    text += fmt::format("{}:{}/", item.key(), options.integer(item.key(), INT64_MIN));
  return text;
}

Better read_better(JsonReader& metric) {
  return metric.choice("better", {"lower", "higher"}) == "lower" ? Better::lower : Better::higher;
}

MetricKind read_kind(JsonReader& metric) {
  if (!metric.has("kind")) return MetricKind::absolute;
  return metric.choice("kind", {"absolute", "ratio"}) == "ratio" ? MetricKind::ratio : MetricKind::absolute;
}

}  // namespace

void read_run_samples(const Json& document, SampleFile& file) {
  JsonReader reader(document, file.path);
  read_conditions(reader, file);
  // On this host: the closed loop's points, or the result's own when the host is what was asked about.
  JsonReader loop = reader.object("closed_loop");
  read_points(loop.objects("points").empty() ? reader : loop, file);
}

void read_verify_samples(const Json& document, SampleFile& file) {
  JsonReader reader(document, file.path);
  read_conditions(reader, file);
  MetricSamples ratio{"measured_over_predicted", "", Better::lower, MetricKind::ratio, {}};
  for (JsonReader& row : reader.objects("rows")) {
    JsonReader measured = row.object("measured");
    const std::string name = "step_seconds/" + options_of(row) + name_of_size(row);
    add_metric(file, {name, "s", Better::lower, MetricKind::absolute, measured.numbers("repetitions")});
    ratio.repetitions.push_back(measured.positive("value") / row.object("predicted").positive("value"));
  }
  add_metric(file, std::move(ratio));
}

void read_train_samples(const Json& document, SampleFile& file) {
  JsonReader reader(document, file.path);
  read_conditions(reader, file);
  MetricSamples epochs{"epoch_seconds", "s", Better::lower, MetricKind::absolute, {}};
  for (JsonReader& epoch : reader.objects("epochs")) epochs.repetitions.push_back(epoch.number("seconds"));
  add_metric(file, std::move(epochs));
}

void read_bench_samples(const Json& document, SampleFile& file) {
  JsonReader reader(document, file.path);
  read_conditions(reader, file);
  for (JsonReader& metric : reader.objects("metrics")) {
    MetricSamples samples{metric.string("name"), metric.string("unit"), read_better(metric), read_kind(metric),
                          metric.numbers("repetitions")};
    add_metric(file, std::move(samples));
  }
}

}  // namespace dtbench
