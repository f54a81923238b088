// dtbench validate --kind scaling: throughput on many devices from throughput on few.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "bench/validation/kind.h"
#include "bench/validation/published_data.h"
#include "bench/validation/scaling_jobs.h"
#include "sim/model/group_band.h"
#include "sim/model/job_parameters.h"

namespace dtbench {

namespace {

constexpr double kBand = 0.9, kOfGroups = 0.6;
/// Standard deviations of half a 90 % band where no other group says how many it takes.
constexpr double kNormalFactor = 1.645;

const std::string& group_of(const PublishedRow& row, LeftOut left_out) {
  return left_out == LeftOut::system ? row.system : left_out == LeftOut::model ? row.model : row.source;
}

using Targets = std::vector<ScalingTarget>;

FittedEffects fit_without(const Targets& targets, LeftOut left_out, const std::string& group) {
  std::vector<ScalingObservation> kept;
  for (const ScalingTarget& target : targets)
    if (left_out == LeftOut::nothing || group_of(*target.row, left_out) != group) kept.push_back(target.observation);
  return fit_job_effects(kept);
}

std::set<std::string> groups_of(const Targets& targets, LeftOut left_out) {
  std::set<std::string> groups;
  for (const ScalingTarget& target : targets) groups.insert(group_of(*target.row, left_out));
  return groups;
}

/// Each target predicted by a fit that has not seen its group.
std::vector<ScalingPrediction> predict_left_out(const Targets& targets, LeftOut left_out) {
  std::vector<ScalingPrediction> predictions(targets.size());
  for (const std::string& group : groups_of(targets, left_out)) {
    const FittedEffects fitted = fit_without(targets, left_out, group);
    for (std::size_t i = 0; i < targets.size(); ++i)
      if (group_of(*targets[i].row, left_out) == group) predictions[i] = predict_job(targets[i].observation.job, fitted);
  }
  return predictions;
}

GroupResidual residual_of(const ScalingTarget& target, const ScalingPrediction& prediction, LeftOut left_out) {
  return {group_of(*target.row, left_out),
          std::abs(std::log(prediction.step_seconds / target.observation.step_seconds)) / prediction.ln_sd};
}

/// For the bands of `group`: what all others needed.
double band_factor(const Targets& targets, const std::vector<ScalingPrediction>& predictions, LeftOut left_out,
                   const std::string& except) {
  std::vector<GroupResidual> residuals;
  for (std::size_t i = 0; i < targets.size(); ++i)
    if (group_of(*targets[i].row, left_out) != except)
      residuals.push_back(residual_of(targets[i], predictions[i], left_out));
  return residuals.empty() ? kNormalFactor : group_band_factor(residuals, kBand, kOfGroups);
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

void predict_refitted(const Targets& targets, LeftOut left_out, ValidateResult& result) {
  const std::vector<ScalingPrediction> predictions = predict_left_out(targets, left_out);
  for (std::size_t i = 0; i < targets.size(); ++i)
    result.rows.push_back(row_of(targets[i], predictions[i],
                                 band_factor(targets, predictions, left_out, group_of(*targets[i].row, left_out))));
  result.parameters = fmt::format("fitted to the other {}s of the data", result.cross_validate);
}

void predict_shipped(const Targets& targets, ValidateResult& result) {
  const std::string file = shipped_job_parameters_file(data_directory());
  const JobParameters shipped = job_parameters_from_json_file(file);
  for (const ScalingTarget& target : targets)
    result.rows.push_back(
        row_of(target, predict_job(target.observation.job, shipped.effects), shipped.band_factor));
  result.parameters = fmt::format("'{}': {}", shipped.name, shipped.source);
}

Targets targets_of(const ScalingTable& published, std::vector<SkippedRow>* skipped) {
  ScalingTargets all = scaling_targets(
      published, ModelProfiles(CsvTable::load(published_data_file("models.csv"), {"model", "parameters", "source"})));
  if (skipped != nullptr) *skipped = std::move(all.skipped);
  return std::move(all.targets);
}

void predict(const CsvTable& table, LeftOut left_out, ValidateResult& result) {
  const ScalingTable published = read_scaling_table(table);
  const Targets targets = targets_of(published, &result.skipped);
  if (left_out == LeftOut::nothing)
    predict_shipped(targets, result);
  else
    predict_refitted(targets, left_out, result);
  std::vector<ValidateRow> linear;
  for (const ScalingTarget& target : targets) linear.push_back(linear_row(target));
  result.baselines["linear scaling"] = summary_of(linear);
}

std::string fit(const CsvTable& table, const std::string& source) {
  const ScalingTable published = read_scaling_table(table);
  const Targets targets = targets_of(published, nullptr);
  if (targets.empty()) throw_bad_input({table.name(), "no row that could be fitted", "series of throughputs", ""});
  const std::vector<ScalingPrediction> left_out = predict_left_out(targets, LeftOut::system);
  std::vector<ValidateRow> rows;
  for (std::size_t i = 0; i < targets.size(); ++i) rows.push_back(row_of(targets[i], left_out[i], 1));
  JobParameters parameters;
  parameters.name = "training jobs";
  parameters.source = source;
  parameters.effects = fit_without(targets, LeftOut::nothing, "");
  parameters.band_factor = band_factor(targets, left_out, LeftOut::system, "");
  parameters.observations = static_cast<int>(targets.size());
  parameters.holdout_error = summary_of(rows).median_abs_error;
  return job_parameters_to_json_text(parameters);
}

}  // namespace

ValidationKind scaling_validation() {
  return {"scaling",
          "training throughput on many devices, from that on few",
          "scaling.csv",
          scaling_columns,
          [] { return std::vector{LeftOut::system, LeftOut::model, LeftOut::source}; },
          predict,
          fit};
}

}  // namespace dtbench
