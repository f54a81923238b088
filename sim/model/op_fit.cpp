#include "sim/model/op_fit.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "sim/model/held_out.h"
#include "sim/model/rate_fit.h"

namespace dtbench {

namespace {

/// A fit from few samples knows its scatter badly; nothing is known better than this.
constexpr double kLeastOpLnSd = 0.02;
/// Rows of this many elements and more fill every vector unit.
constexpr double kWideEnough = 64;
/// Operations with more FLOPs a byte than this have a FLOP rate beside their byte rate; below it FLOPs say nothing that
/// bytes do not.
constexpr double kComputeIntensity = 2;

std::string key_of(const OpSample& sample) { return fmt::format("{}/{}", sample.kind, name_of(sample.arithmetic)); }

/// Which curves the samples of a kind can tell.
struct OpForm {
  bool flops = false, bytes = false, width = false, step_bytes = false;
};

OpForm form_of(const std::vector<OpSample>& samples) {
  const auto any = [&](auto test) { return std::any_of(samples.begin(), samples.end(), test); };
  const auto all = [&](auto test) { return std::all_of(samples.begin(), samples.end(), test); };
  OpForm form;
  form.flops = any([](const OpSample& s) { return s.flops > kComputeIntensity * s.bytes; }) &&
               all([](const OpSample& s) { return s.flops > 0; });
  form.bytes = all([](const OpSample& s) { return s.bytes > 0; });
  form.width = all([](const OpSample& s) { return s.around.width > 0; });
  form.step_bytes = form.bytes && all([](const OpSample& s) { return s.around.step_bytes > 0; });
  return form;
}

/// Beliefs found by trying on steps of many sizes that no fit had seen; see README.md.
RateModel model_of(const OpForm& form) {
  CurveBelief width{0.3, 0.3};
  width.one = CurveBelief::One::at_last;
  width.last_place = kWideEnough;
  CurveBelief cold{1, 0.3};
  cold.one = CurveBelief::One::at_first;
  RateModel model;
  if (form.flops) model.push_back({{0.15, 0.15}});
  if (form.bytes) model.push_back({form.flops ? CurveBelief{2, 0.3, 4} : CurveBelief{3, 0.3}});
  if (form.width) model.front().push_back(width);
  if (form.step_bytes) model.back().push_back(cold);
  return model;
}

RateObservation observation_of(const OpSample& sample, const OpForm& form) {
  RateObservation seen;
  if (form.flops) seen.terms.push_back({sample.flops, {sample.flops}});
  if (form.bytes) seen.terms.push_back({sample.bytes, {sample.bytes}});
  if (form.width) seen.terms.front().places.push_back(sample.around.width);
  if (form.step_bytes) seen.terms.back().places.push_back(sample.around.step_bytes);
  seen.seconds = sample.seconds;
  return seen;
}

RateCurve described(RateCurve curve, double ln_sd, const std::string& source) {
  curve.ln_sd = ln_sd;
  curve.origin = Origin::measured;
  curve.source = source;
  return curve;
}

/// Calls that have neither FLOPs nor bytes take a fixed time.
OpCalibration fixed_time(const std::vector<OpSample>& samples, const std::string& source) {
  std::vector<double> seconds;
  for (const OpSample& sample : samples) seconds.push_back(sample.seconds);
  OpCalibration op;
  op.overhead_seconds = {median(seconds), kLeastOpLnSd, Origin::measured, source};
  return op;
}

OpCalibration fit_kind(const std::vector<OpSample>& samples) {
  OpForm form = form_of(samples);
  const std::string source = fmt::format("fit of {} timed calls", samples.size());
  if (!form.flops && !form.bytes) return fixed_time(samples, source);
  std::vector<RateObservation> observations;
  for (const OpSample& sample : samples) observations.push_back(observation_of(sample, form));
  const RateFit fit = fit_rates(model_of(form), observations);
  const double ln_sd = std::clamp(fit.ln_sd, kLeastOpLnSd, kLargestLnSd);
  OpCalibration op;
  op.overhead_seconds = {fit.fixed_seconds, ln_sd, Origin::measured, source};
  if (form.flops) op.flop_rate = described(fit.curves.front().front(), ln_sd, source);
  if (form.bytes) op.byte_rate = described(fit.curves.back().front(), ln_sd, source);
  if (form.width) op.width_factor = described(fit.curves.front()[1], 0, source);
  if (form.step_bytes) op.cold_factor = described(fit.curves.back().back(), 0, source);
  return op;
}

void widen(OpCalibration& op, double held_out_ln_sd) {
  const double ln_sd = std::min(held_out_ln_sd, kLargestLnSd);
  op.overhead_seconds.ln_sd = std::max(op.overhead_seconds.ln_sd, ln_sd);
  for (std::optional<RateCurve>* curve : {&op.flop_rate, &op.byte_rate})
    if (*curve) (*curve)->ln_sd = std::max((*curve)->ln_sd, ln_sd);
}

double log_error(const OpSample& sample, const Calibration& calibration) {
  PlanOp call;
  call.kind = sample.kind;
  call.arithmetic = sample.arithmetic;
  call.flops = sample.flops;
  call.bytes = sample.bytes;
  return std::log(op_seconds(call, sample.around, calibration) / sample.seconds);
}

/// Equal calls (the layers of a transformer) as one with their median time: a fit costs what its different calls cost.
std::vector<OpSample> different_calls(const std::vector<OpSample>& samples) {
  std::map<std::tuple<double, double, double, double>, std::vector<double>> times;
  const auto place = [](const OpSample& sample) {
    return std::tuple(sample.flops, sample.bytes, sample.around.width, sample.around.step_bytes);
  };
  for (const OpSample& sample : samples) times[place(sample)].push_back(sample.seconds);
  std::vector<OpSample> different;
  for (const OpSample& sample : samples) {
    const auto found = times.find(place(sample));
    if (found == times.end()) continue;
    different.push_back(sample);
    different.back().seconds = median(found->second);
    times.erase(found);
  }
  return different;
}

/// A sample of a size left out, and what a fit without its size makes of it.
struct Trial {
  OpSample sample;
  double log_error = 0;
};

std::vector<Trial> trials_of(const std::string& key, const std::vector<OpSample>& samples) {
  const bool by_flops = form_of(samples).flops;
  const auto size = [&](const OpSample& sample) { return by_flops ? sample.flops : sample.bytes; };
  std::vector<double> sizes;
  for (const OpSample& sample : samples) sizes.push_back(size(sample));
  const std::set<double> out = left_out(sizes);
  if (out.empty()) return {};
  std::vector<OpSample> kept;
  for (const OpSample& sample : samples)
    if (!out.contains(size(sample))) kept.push_back(sample);
  Calibration partial;
  partial.ops[key] = fit_kind(kept);
  std::vector<Trial> trials;
  for (const OpSample& sample : samples)
    if (out.contains(size(sample))) trials.push_back({sample, log_error(sample, partial)});
  return trials;
}

/// Seconds of all sampled calls of a step. Steps are told apart by the memory that they touch.
class StepShares {
 public:
  explicit StepShares(const std::vector<OpSample>& samples) {
    for (const OpSample& sample : samples) seconds_[sample.around.step_bytes] += sample.seconds;
  }
  double share(const OpSample& sample) const { return sample.seconds / seconds_.at(sample.around.step_bytes); }

 private:
  std::map<double, double> seconds_;
};

}  // namespace

OpFits fit_ops(const std::vector<OpSample>& samples) {
  // Of its kind: casts of compressed gradients are seen among several replicas only.
  std::map<std::string, int> fewest_busy;
  for (const OpSample& sample : samples) {
    int& fewest = fewest_busy.try_emplace(key_of(sample), sample.devices_busy).first->second;
    fewest = std::min(fewest, sample.devices_busy);
  }
  std::map<std::string, std::vector<OpSample>> by_kind;
  std::vector<OpSample> used;
  for (const OpSample& sample : samples)
    if (sample.devices_busy == fewest_busy.at(key_of(sample))) {
      by_kind[key_of(sample)].push_back(sample);
      used.push_back(sample);
    }
  const StepShares shares(used);
  OpFits fits;
  for (const auto& [key, all_of_kind] : by_kind) {
    const std::vector<OpSample> of_kind = different_calls(all_of_kind);
    fits.ops[key] = fit_kind(of_kind);
    std::vector<double> errors;
    for (const Trial& trial : trials_of(key, of_kind)) {
      errors.push_back(trial.log_error);
      fits.held_out.push_back({std::abs(std::expm1(trial.log_error)), shares.share(trial.sample)});
    }
    if (!errors.empty()) widen(fits.ops[key], robust_sd(errors));
  }
  return fits;
}

Parameter fit_crowding(const std::vector<OpSample>& samples, const Parameter& otherwise) {
  using Call = std::tuple<std::string, double, double, double>;
  std::map<Call, std::map<int, std::vector<double>>> calls;
  int most_busy = 1;
  for (const OpSample& sample : samples) {
    calls[{key_of(sample), sample.flops, sample.bytes, sample.around.step_bytes}][sample.devices_busy].push_back(
        sample.seconds);
    most_busy = std::max(most_busy, sample.devices_busy);
  }
  std::vector<Weighted> ratios;
  for (const auto& [call, times] : calls) {
    if (most_busy == 1 || !times.contains(1) || !times.contains(most_busy)) continue;
    const double alone = median(times.at(1));
    ratios.push_back({median(times.at(most_busy)) / alone, alone});
  }
  if (ratios.empty()) return otherwise;
  std::vector<double> scatter;
  const double typical = weighted_median(ratios);
  for (const Weighted& ratio : ratios) scatter.push_back(std::log(ratio.value / typical));
  return {std::max(1.0, typical), std::max(kLeastOpLnSd, robust_sd(scatter)), Origin::measured,
          fmt::format("{} calls timed with 1 and {} devices busy", ratios.size(), most_busy)};
}

}  // namespace dtbench
