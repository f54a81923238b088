// dtbench validate --kind precision: what mixed precision gains over the base precision of a published pair.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "bench/validation/kind.h"
#include "bench/validation/left_out.h"
#include "bench/validation/precision_jobs.h"
#include "bench/validation/published_data.h"
#include "sim/model/job_parameters.h"
#include "topologies/topology_library.h"

namespace dtbench {

namespace {

using GainTargetList = std::vector<GainTarget>;
using GainPredictionList = std::vector<GainPrediction>;

const std::string& group_of(const PublishedPair& pair, GroupBy left_out) {
  switch (left_out) {
    case GroupBy::model:
      return pair.model;
    case GroupBy::source:
      return pair.source;
    case GroupBy::device:
      return pair.device;
    default:
      return pair.system;
  }
}

Groups groups_of(const GainTargetList& targets, GroupBy left_out) {
  Groups groups;
  for (const GainTarget& target : targets) groups.push_back(group_of(*target.pair, left_out));
  return groups;
}

FittedEffects fit_to(const GainTargetList& targets, const std::vector<std::size_t>& kept) {
  std::vector<GainObservation> observations;
  for (const std::size_t i : kept) observations.push_back(targets[i].observation);
  return fit_gain_effects(observations);
}

GainPredictionList predict_each_left_out(const GainTargetList& targets, const Groups& groups) {
  return predict_left_out(
      groups, [&](const std::vector<std::size_t>& kept) { return fit_to(targets, kept); },
      [&](std::size_t i, const FittedEffects& fitted) { return predict_gain(targets[i].observation.job, fitted); });
}

std::vector<double> sizes_of_errors(const GainTargetList& targets, const GainPredictionList& predictions) {
  std::vector<double> sizes;
  for (std::size_t i = 0; i < targets.size(); ++i)
    sizes.push_back(std::abs(std::log(predictions[i].gain / targets[i].pair->gain())) / predictions[i].ln_sd);
  return sizes;
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

GainTargets targets_of(const std::vector<PublishedPair>& pairs) {
  const Workloads workloads(
      CsvTable::load(published_data_file("workloads.csv"), {"model", "kind", "matrix_flops", "source"}));
  return gain_targets(pairs, workloads, published_model_profiles());
}

/// No model at all: every pair gains what the median pair does.
ValidateSummary median_gain(const GainTargetList& targets) {
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

void predict_refitted(const GainTargetList& targets, GroupBy left_out, ValidateResult& result) {
  const Groups groups = groups_of(targets, left_out);
  const GainPredictionList predictions = predict_each_left_out(targets, groups);
  const std::vector<double> sizes = sizes_of_errors(targets, predictions);
  for (std::size_t i = 0; i < targets.size(); ++i)
    result.rows.push_back(row_of(targets[i], predictions[i], left_out_band_factor(groups, sizes, groups[i])));
  result.parameters = fmt::format("fitted to the other {}s of the data", result.cross_validate);
}

void predict_shipped(const GainTargetList& targets, ValidateResult& result) {
  const JobParameters shipped = job_parameters_from_json_file(shipped_file(data_directory()));
  for (const GainTarget& target : targets)
    result.rows.push_back(row_of(target, predict_gain(target.observation.job, shipped.effects), shipped.band_factor));
  result.parameters = fmt::format("'{}': {}", shipped.name, shipped.source);
}

void predict_gains(const CsvTable& table, GroupBy left_out, ValidateResult& result) {
  const std::vector<PublishedPair> pairs = read_precision_table(table);
  GainTargets judged = targets_of(pairs);
  result.skipped = std::move(judged.skipped);
  result.assumed = std::move(judged.assumed);
  if (left_out == GroupBy::nothing)
    predict_shipped(judged.targets, result);
  else
    predict_refitted(judged.targets, left_out, result);
  result.baselines["median gain"] = median_gain(judged.targets);
}

std::string fit_gains(const CsvTable& table, const std::string& source) {
  const std::vector<PublishedPair> pairs = read_precision_table(table);
  const GainTargetList targets = targets_of(pairs).targets;
  if (targets.empty()) throw_bad_input({table.name(), "no row that could be fitted", "pairs of throughputs", ""});
  const Groups systems = groups_of(targets, GroupBy::system);
  const GainPredictionList predictions = predict_each_left_out(targets, systems);
  std::vector<ValidateRow> rows;
  for (std::size_t i = 0; i < targets.size(); ++i) rows.push_back(row_of(targets[i], predictions[i], 1));
  const double factor = left_out_band_factor(systems, sizes_of_errors(targets, predictions), std::nullopt);
  return job_parameters_to_json_text(parameters_to_ship(
      "mixed precision", source, fit_to(targets, indices_without(systems, std::nullopt)), factor, rows));
}

}  // namespace

ValidationKind precision_validation() {
  return {"precision",
          "what mixed precision gains",
          "precision.csv",
          precision_columns,
          [] {
            return std::vector{GroupBy::system, GroupBy::model, GroupBy::source, GroupBy::device};
          },
          predict_gains,
          fit_gains};
}

}  // namespace dtbench
