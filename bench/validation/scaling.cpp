// dtbench validate --kind scaling: throughput on many devices from throughput on few.
#include <fmt/core.h>

#include <cmath>
#include <optional>

#include "bench/validation/kind.h"
#include "bench/validation/left_out.h"
#include "bench/validation/scaling_jobs.h"
#include "sim/model/job_parameters.h"
#include "topologies/topology_library.h"

namespace dtbench {

namespace {

const std::string& group_of(const PublishedRow& row, GroupBy left_out) {
  return left_out == GroupBy::system ? row.system : left_out == GroupBy::model ? row.model : row.source;
}

using ScalingTargetList = std::vector<ScalingTarget>;
using ScalingPredictionList = std::vector<ScalingPrediction>;

Groups groups_of(const ScalingTargetList& targets, GroupBy left_out) {
  Groups groups;
  for (const ScalingTarget& target : targets) groups.push_back(group_of(*target.row, left_out));
  return groups;
}

FittedEffects fit_to(const ScalingTargetList& targets, const std::vector<std::size_t>& kept) {
  std::vector<ScalingObservation> observations;
  for (const std::size_t i : kept) observations.push_back(targets[i].observation);
  return fit_job_effects(observations);
}

ScalingPredictionList predict_each_left_out(const ScalingTargetList& targets, const Groups& groups) {
  return predict_left_out(
      groups, [&](const std::vector<std::size_t>& kept) { return fit_to(targets, kept); },
      [&](std::size_t i, const FittedEffects& fitted) { return predict_job(targets[i].observation.job, fitted); });
}

std::vector<double> sizes_of_errors(const ScalingTargetList& targets, const ScalingPredictionList& predictions) {
  std::vector<double> sizes;
  for (std::size_t i = 0; i < targets.size(); ++i)
    sizes.push_back(std::abs(std::log(predictions[i].step_seconds / targets[i].observation.step_seconds)) /
                    predictions[i].ln_sd);
  return sizes;
}

/// In the row's own unit. Throughput falls as the step grows.
ValidateRow row_of(const ScalingTarget& target, const ScalingPrediction& prediction, double factor) {
  const PublishedRow& row = *target.row;
  const StepBand band = step_band(prediction, factor);
  const double work = target.observation.step_seconds * row.value;
  return {row.id,
          row.series,
          {{"source", row.source},
           {"model", row.model},
           {"system", row.system},
           {"devices", std::to_string(row.devices)}},
          row.unit,
          row.value,
          work / prediction.step_seconds,
          work / band.high,
          work / band.low};
}

ValidateRow linear_row(const ScalingTarget& target) {
  const PublishedRow& row = *target.row;
  return {row.id, row.series, {}, row.unit, row.value, target.linear, target.linear, target.linear};
}

void predict_refitted(const ScalingTargetList& targets, GroupBy left_out, ValidateResult& result) {
  const Groups groups = groups_of(targets, left_out);
  const ScalingPredictionList predictions = predict_each_left_out(targets, groups);
  const std::vector<double> sizes = sizes_of_errors(targets, predictions);
  for (std::size_t i = 0; i < targets.size(); ++i)
    result.rows.push_back(row_of(targets[i], predictions[i], left_out_band_factor(groups, sizes, groups[i])));
  result.parameters = fmt::format("fitted to the other {}s of the data", result.cross_validate);
}

void predict_shipped(const ScalingTargetList& targets, ValidateResult& result) {
  const std::string file = shipped_job_parameters_file(data_directory());
  const JobParameters shipped = job_parameters_from_json_file(file);
  for (const ScalingTarget& target : targets)
    result.rows.push_back(
        row_of(target, predict_job(target.observation.job, shipped.effects), shipped.band_factor));
  result.parameters = fmt::format("'{}': {}", shipped.name, shipped.source);
}

ScalingTargetList targets_of(const ScalingTable& published, std::vector<RowNote>* skipped) {
  ScalingTargets all = scaling_targets(published, published_model_profiles());
  if (skipped != nullptr) *skipped = std::move(all.skipped);
  return std::move(all.targets);
}

void predict_scaling(const CsvTable& table, GroupBy left_out, ValidateResult& result) {
  const ScalingTable published = read_scaling_table(table);
  const ScalingTargetList targets = targets_of(published, &result.skipped);
  if (left_out == GroupBy::nothing)
    predict_shipped(targets, result);
  else
    predict_refitted(targets, left_out, result);
  std::vector<ValidateRow> linear;
  for (const ScalingTarget& target : targets) linear.push_back(linear_row(target));
  result.baselines["linear scaling"] = summary_of(linear);
}

std::string fit_scaling(const CsvTable& table, const std::string& source) {
  const ScalingTable published = read_scaling_table(table);
  const ScalingTargetList targets = targets_of(published, nullptr);
  if (targets.empty()) throw_bad_input({table.name(), "no row that could be fitted", "series of throughputs", ""});
  const Groups systems = groups_of(targets, GroupBy::system);
  const ScalingPredictionList predictions = predict_each_left_out(targets, systems);
  std::vector<ValidateRow> rows;
  for (std::size_t i = 0; i < targets.size(); ++i) rows.push_back(row_of(targets[i], predictions[i], 1));
  const double factor = left_out_band_factor(systems, sizes_of_errors(targets, predictions), std::nullopt);
  return job_parameters_to_json_text(parameters_to_ship(
      "training jobs", source, fit_to(targets, indices_without(systems, std::nullopt)), factor, rows));
}

}  // namespace

ValidationKind scaling_validation() {
  return {"scaling",
          "training throughput on many devices, from that on few",
          "scaling.csv",
          scaling_columns,
          [] { return std::vector{GroupBy::system, GroupBy::model, GroupBy::source}; },
          predict_scaling,
          fit_scaling};
}

}  // namespace dtbench
