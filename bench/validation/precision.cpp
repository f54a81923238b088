// dtbench validate --kind precision: what mixed precision gains over the base precision of a published pair.
#include <fmt/core.h>

#include <cmath>
#include <set>

#include "bench/validation/kind.h"
#include "bench/validation/precision_jobs.h"
#include "bench/validation/published_data.h"
#include "sim/model/group_band.h"
#include "sim/model/job_parameters.h"
#include "topologies/topology_library.h"

namespace dtbench {

namespace {

constexpr double kBand = 0.9, kOfGroups = 0.6;

using Targets = std::vector<GainTarget>;

const std::string& group_of(const PublishedPair& pair, LeftOut left_out) {
  switch (left_out) {
    case LeftOut::model:
      return pair.model;
    case LeftOut::source:
      return pair.source;
    case LeftOut::device:
      return pair.device;
    default:
      return pair.system;
  }
}

FittedEffects fit_without(const Targets& targets, LeftOut left_out, const std::string& group) {
  std::vector<GainObservation> kept;
  for (const GainTarget& target : targets)
    if (left_out == LeftOut::nothing || group_of(*target.pair, left_out) != group) kept.push_back(target.observation);
  return fit_gain_effects(kept);
}

/// Each pair predicted by a fit that has not seen its group.
std::vector<GainPrediction> predict_left_out(const Targets& targets, LeftOut left_out) {
  std::set<std::string> groups;
  for (const GainTarget& target : targets) groups.insert(group_of(*target.pair, left_out));
  std::vector<GainPrediction> predictions(targets.size());
  for (const std::string& group : groups) {
    const FittedEffects fitted = fit_without(targets, left_out, group);
    for (std::size_t i = 0; i < targets.size(); ++i)
      if (group_of(*targets[i].pair, left_out) == group)
        predictions[i] = predict_gain(targets[i].observation.job, fitted);
  }
  return predictions;
}

/// For the bands of `except`: what all other groups needed.
double band_factor(const Targets& targets, const std::vector<GainPrediction>& predictions, LeftOut left_out,
                   const std::string& except) {
  std::vector<GroupResidual> residuals;
  for (std::size_t i = 0; i < targets.size(); ++i)
    if (const std::string& group = group_of(*targets[i].pair, left_out); group != except)
      residuals.push_back(
          {group, std::abs(std::log(predictions[i].gain / targets[i].pair->gain())) / predictions[i].ln_sd});
  return group_band_factor(residuals, kBand, kOfGroups);
}

ValidateRow row_of(const GainTarget& target, const GainPrediction& prediction, double factor) {
  const PublishedPair& pair = *target.pair;
  const double spread = std::exp(factor * prediction.ln_sd);
  return {pair.id,
          pair.model,
          {{"source", pair.source},
           {"model", pair.model},
           {"system", pair.system},
           {"devices", std::to_string(pair.devices)}},
          "times",
          pair.gain(),
          prediction.gain,
          prediction.gain / spread,
          prediction.gain * spread};
}

std::string shipped_file(const std::string& directory) { return directory + "/calibrations/mixed_precision.json"; }

Targets targets_of(const std::vector<PublishedPair>& pairs, std::vector<SkippedRow>* skipped) {
  GainTargets all = gain_targets(
      pairs, Workloads(CsvTable::load(published_data_file("workloads.csv"), {"model", "kind", "matrix_flops"})),
      ModelProfiles(CsvTable::load(published_data_file("models.csv"), {"model", "parameters", "source"})));
  if (skipped != nullptr) *skipped = std::move(all.skipped);
  return std::move(all.targets);
}

/// No model at all: every pair gains what the median pair does.
ValidateSummary median_gain(const Targets& targets) {
  std::vector<double> gains;
  for (const GainTarget& target : targets) gains.push_back(target.pair->gain());
  std::sort(gains.begin(), gains.end());
  std::vector<ValidateRow> rows;
  for (const GainTarget& target : targets) {
    const double typical = gains[gains.size() / 2];
    rows.push_back({target.pair->id, "", {}, "times", target.pair->gain(), typical, typical, typical});
  }
  return summary_of(rows);
}

void predict(const CsvTable& table, LeftOut left_out, ValidateResult& result) {
  const std::vector<PublishedPair> pairs = read_precision_table(table);
  const Targets targets = targets_of(pairs, &result.skipped);
  if (left_out == LeftOut::nothing) {
    const JobParameters shipped = job_parameters_from_json_file(shipped_file(data_directory()));
    for (const GainTarget& target : targets)
      result.rows.push_back(row_of(target, predict_gain(target.observation.job, shipped.effects), shipped.band_factor));
    result.parameters = fmt::format("'{}': {}", shipped.name, shipped.source);
  } else {
    const std::vector<GainPrediction> predictions = predict_left_out(targets, left_out);
    for (std::size_t i = 0; i < targets.size(); ++i)
      result.rows.push_back(row_of(targets[i], predictions[i],
                                   band_factor(targets, predictions, left_out, group_of(*targets[i].pair, left_out))));
    result.parameters = fmt::format("fitted to the other {}s of the data", result.cross_validate);
  }
  result.baselines["median gain"] = median_gain(targets);
}

std::string fit(const CsvTable& table, const std::string& source) {
  const std::vector<PublishedPair> pairs = read_precision_table(table);
  const Targets targets = targets_of(pairs, nullptr);
  if (targets.empty()) throw_bad_input({table.name(), "no row that could be fitted", "pairs of throughputs", ""});
  const std::vector<GainPrediction> left_out = predict_left_out(targets, LeftOut::system);
  std::vector<ValidateRow> rows;
  for (std::size_t i = 0; i < targets.size(); ++i) rows.push_back(row_of(targets[i], left_out[i], 1));
  JobParameters parameters;
  parameters.name = "mixed precision";
  parameters.source = source;
  parameters.effects = fit_without(targets, LeftOut::nothing, "");
  parameters.band_factor = band_factor(targets, left_out, LeftOut::system, "");
  parameters.observations = static_cast<int>(targets.size());
  parameters.holdout_error = summary_of(rows).median_abs_error;
  return job_parameters_to_json_text(parameters);
}

}  // namespace

ValidationKind precision_validation() {
  return {"precision",
          "what mixed precision gains",
          "precision.csv",
          precision_columns,
          [] {
            return std::vector{LeftOut::system, LeftOut::model, LeftOut::source, LeftOut::device};
          },
          predict,
          fit};
}

}  // namespace dtbench
