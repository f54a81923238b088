#include "bench/validation/scaling_jobs.h"

#include <fmt/core.h>

#include <algorithm>

#include "bench/validation/published_data.h"
#include "bench/validation/published_machines.h"
#include "topologies/base/suggest.h"

namespace dtbench {

namespace {

/// A throughput beyond these shares of linear scaling measures something else (a broken anchor, another setting).
constexpr double kLeastOfLinear = 0.05, kMostOfLinear = 1.2;

bool mentions_one_of(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) { return mentions(text, part); });
}

/// tf_cnn_benchmarks says in its notes how variables are updated, which decides what is exchanged and how.
std::string variable_update(const PublishedRow& row) {
  constexpr std::string_view key = "variable_update=";
  const std::size_t at = row.notes.find(key);
  if (at == std::string::npos) return "";
  const std::size_t start = at + key.size();
  return " " + row.notes.substr(start, row.notes.find_first_of(";,", start) - start);
}

std::string framework_family(const PublishedRow& row) {
  for (const std::string_view family : {"pytorch", "tensorflow", "mxnet", "paddle", "jax"})
    if (mentions(row.framework, family)) return std::string(family);
  return fold_name(row.framework);
}

bool looks_at_pictures(const PublishedRow& row) {
  return mentions_one_of(row.task, {"image", "detection", "segmentation"});
}

/// Phases of one recipe are one task.
std::string task_kind(const PublishedRow& row) {
  return mentions(row.task, "pretraining") ? "pretraining" : row.task.empty() ? "unknown" : row.task;
}

/// Why a target cannot be judged; "" when it can.
std::string fault_of(const PublishedRow& row, const PublishedSeries& series, const ModelProfiles& profiles,
                     PublishedMachines& machines) {
  const PublishedRow& anchor = series.anchors.front();
  if (profiles.find(row.model) == nullptr)
    return fmt::format("model '{}': its parameters are not in models.csv{}", row.model, profiles.suggestion(row.model));
  if (row.batch_per_device == 0 || anchor.batch_per_device == 0) return "no batch is published: its step time is unknown";
  for (const PublishedRow* each : {&row, &anchor}) {
    const std::string fault = machines.fault_of(each->topology, each->devices);
    if (!fault.empty()) return fault;
  }
  const double linear = series.anchor_value() * row.devices / anchor.devices;
  if (row.value < kLeastOfLinear * linear || row.value > kMostOfLinear * linear)
    return fmt::format("outside {} to {} of linear scaling: not a measurement of scaling", kLeastOfLinear, kMostOfLinear);
  return "";
}

ScalingTarget target_of(const PublishedRow& row, const PublishedSeries& series, const ModelProfiles& profiles,
                        PublishedMachines& machines) {
  const PublishedRow& anchor = series.anchors.front();
  const ModelProfile& profile = *profiles.find(row.model);
  const double units = mentions(row.unit, "token") && row.sequence_length > 0 && profile.units_per_sample == 1
                           ? row.sequence_length
                           : mentions(row.unit, "token") ? profile.units_per_sample : 1;
  const auto step = [&](const PublishedRow& at, double value) {
    return at.batch_per_device * at.accumulation * at.devices * units / value;
  };
  ScalingTarget target;
  target.row = &row;
  // Where batches differ the rate, not the step, is what scales linearly.
  const double per_anchor_batch = anchor.batch_per_device * anchor.accumulation;
  ScalingJob& job = target.observation.job;
  job.labels = job_labels(row);
  job.gradient_bytes = profile.parameters * gradient_bytes_per_parameter(row);
  job.passes = row.accumulation;
  job.anchor_devices = anchor.devices;
  job.devices = row.devices;
  job.anchor_step_seconds =
      step(anchor, series.anchor_value()) * row.batch_per_device * row.accumulation / per_anchor_batch;
  job.at_anchor = machines.find(anchor.topology).exchange;
  job.at_target = machines.find(row.topology).exchange;
  target.observation.step_seconds = step(row, row.value);
  target.linear = series.anchor_value() * row.devices / anchor.devices;
  return target;
}

}  // namespace

ModelProfiles::ModelProfiles(const CsvTable& table) {
  for (std::size_t i = 0; i < table.size(); ++i) {
    const CsvRow row = table.row(i);
    names_.push_back(row.required("model"));
    by_name_[fold_name(names_.back())] = {row.positive("parameters"),
                                          row.optional_positive("units_per_sample").value_or(1)};
  }
}

ModelProfiles published_model_profiles() {
  return ModelProfiles(CsvTable::load(published_data_file("models.csv"), {"model", "parameters", "source"}));
}

const ModelProfile* ModelProfiles::find(std::string_view name) const {
  const auto found = by_name_.find(fold_name(name));
  return found == by_name_.end() ? nullptr : &found->second;
}

std::string ModelProfiles::suggestion(std::string_view name) const {
  const std::string nearest = did_you_mean(name, names_);
  return nearest.empty() ? "" : " (" + nearest + ")";
}

bool mentions(std::string_view text, std::string_view part) {
  return fold_name(text).find(fold_name(part)) != std::string::npos;
}

bool exchanges_half_precision(bool looks_at_pictures, std::string_view framework) {
  return !looks_at_pictures || mentions_one_of(framework, {"mxnet", "tf_cnn_benchmarks"});
}

JobLabels job_labels(const PublishedRow& row) {
  JobLabels labels;
  labels.framework = row.framework + variable_update(row);
  labels.framework_family = framework_family(row);
  labels.task = task_kind(row);
  labels.machine = row.system + " of " + row.source;
  labels.decodes_real_data = looks_at_pictures(row) && !row.dataset.empty() && !mentions(row.dataset, "synthetic");
  labels.mixed_precision = row.precision.starts_with("mixed");
  return labels;
}

double gradient_bytes_per_parameter(const PublishedRow& row) {
  const bool half = row.precision == "fp16" || row.precision == "bf16" || row.precision == "float16" ||
                    row.precision == "bfloat16";
  const bool exchanges_half =
      row.precision.starts_with("mixed") && exchanges_half_precision(looks_at_pictures(row), row.framework);
  return half || exchanges_half ? 2 : 4;
}

ScalingTargets scaling_targets(const ScalingTable& table, const ModelProfiles& profiles) {
  PublishedMachines machines;
  ScalingTargets all;
  all.skipped = table.skipped;
  for (const PublishedSeries& series : table.series)
    for (const PublishedRow& row : series.targets) {
      const std::string fault = fault_of(row, series, profiles, machines);
      if (fault.empty())
        all.targets.push_back(target_of(row, series, profiles, machines));
      else
        all.skipped.push_back({row.id, row.line, fault});
    }
  return all;
}

}  // namespace dtbench
