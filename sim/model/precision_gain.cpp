#include "sim/model/precision_gain.h"

#include <fmt/core.h>

#include <cmath>

#include "topologies/base/error.h"

namespace dtbench {

namespace {

/// Size of errors of a gain that need no explanation: two prints of one pair differ by 1 % (median) to 10 %.
constexpr double kGainNoise = 0.08;
/// An absolute rate is known less well: how far it may be off, relative to a gain, before it pulls.
constexpr double kRateWeight = 0.15;
/// Bytes per parameter and step of the optimizer: gradient, two moments and the weight read, three of them written.
constexpr double kOptimizerBytes = 28;
/// Mixed precision also writes and reads the 16-bit copy of each parameter.
constexpr double kMixedOptimizerBytes = 34;
/// Usual share of the nominal bandwidth that an exchange of a training job gets.
constexpr double kUsualLinkShare = 0.3;

bool is_half(Arithmetic arithmetic) { return arithmetic == Arithmetic::float16 || arithmetic == Arithmetic::bfloat16; }

double peak_of(const DeviceSpec& device, Arithmetic arithmetic) {
  const auto found = device.peak_flops.find(arithmetic);
  if (found == device.peak_flops.end())
    throw_bad_input({fmt::format("device '{}'", device.name), fmt::format("no {}", name_of(arithmetic)), "", ""});
  return found->second;
}

/// A matrix unit multiplies 16-bit numbers several times faster than the cores add them in float32; a device without
/// one gains the width of its registers at most.
bool has_matrix_unit(const DeviceSpec& device) {
  const auto half = device.peak_flops.find(Arithmetic::float16);
  return half != device.peak_flops.end() && half->second > 3 * peak_of(device, Arithmetic::float32);
}

/// Generations of tensor cores differ; so do the cards of one generation for servers and for games.
std::string generation_of(const DeviceSpec& device) { return device.architecture; }

bool on_matrix_unit(const DeviceSpec& device, Arithmetic arithmetic) {
  if (arithmetic == Arithmetic::tf32) return true;
  return is_half(arithmetic) && (has_matrix_unit(device) || device.peak_flops.count(Arithmetic::tf32) > 0);
}

double matrix_seconds(const GainJob& job, const GainSide& side, std::span<const double> latents) {
  const double work = job.work.matrix_flops * std::exp(latents[kMatrixWork]);
  const double peak = peak_of(job.device, side.arithmetic);
  if (on_matrix_unit(job.device, side.arithmetic))
    return work / (peak * std::exp(latents[is_half(side.arithmetic) ? kHalfEfficiency : kTf32Efficiency]));
  const double share = job.work.small_filter_share;
  const double multiplied = 1 - share + share / std::exp(latents[kSmallFilters]);
  return work * multiplied / (peak * std::exp(latents[kFloat32Efficiency]));
}

double memory_seconds(const GainJob& job, const GainSide& side, std::span<const double> latents) {
  double ln_factor = latents[kOtherBytes];
  if (job.compiled) ln_factor += latents[kCompiled];
  if (is_half(side.arithmetic)) ln_factor += latents[kHalfBytes];
  return job.work.other_bytes * std::exp(ln_factor) / job.device.memory_bandwidth;
}

double step_seconds(const GainJob& job, const GainSide& side, std::span<const double> latents) {
  const double launches = job.work.kernels * job.device.launch_seconds * std::exp(latents[kLaunches]);
  const double optimizer = job.work.parameters * (is_half(side.arithmetic) ? kMixedOptimizerBytes : kOptimizerBytes) /
                           job.device.memory_bandwidth;
  const double bytes = job.work.parameters * side.bytes_per_parameter;
  const double exchange =
      bytes * (job.exchange.within_node + job.exchange.between_nodes) * std::exp(latents[kExchange]) / kUsualLinkShare;
  return launches + (optimizer + exchange) / job.passes;
}

double ln_gain(const GainJob& job, std::span<const double> latents) {
  return std::log(sample_seconds(job, job.base, latents) / sample_seconds(job, job.mixed, latents));
}

}  // namespace

std::vector<double> gain_latent_centres() {
  return {std::log(0.7), std::log(0.45), std::log(0.4), 0, 0, std::log(0.55), 0, std::log(1.6), 0, -0.1};
}

RowEffects gain_effects(const GainJob& job) {
  const auto name = [](GainLatent latent, const std::string& label) {
    return fmt::format("{}/{}", kGainLatentNames[latent], label);
  };
  const std::string all = "all", generation = "generation=" + generation_of(job.device), model = "model=" + job.model,
                    kind = "kind=" + job.work.kind, script = "script=" + job.script;
  const std::string pair = script + "," + kind;
  RowEffects effects(kGainLatents);
  for (const GainLatent latent : {kFloat32Efficiency, kTf32Efficiency})
    effects[latent] = {{name(latent, all), 0.3}, {name(latent, generation), 0.15}};
  effects[kHalfEfficiency] = {{name(kHalfEfficiency, all), 0.3},
                              {name(kHalfEfficiency, generation), 0.15},
                              {name(kHalfEfficiency, model), 0.2},
                              {name(kHalfEfficiency, script), 0.1},
                              {name(kHalfEfficiency, pair), 0.2}};
  effects[kMatrixWork] = {{name(kMatrixWork, model), 0.3}};
  effects[kOtherBytes] = {{name(kOtherBytes, all), 0.3},
                          {name(kOtherBytes, kind), 0.3},
                          {name(kOtherBytes, model), 0.2},
                          {name(kOtherBytes, pair), 0.25}};
  effects[kHalfBytes] = {{name(kHalfBytes, all), 0.12}};
  effects[kLaunches] = {{name(kLaunches, all), 0.5}, {name(kLaunches, script), 0.5}, {name(kLaunches, kind), 0.5}};
  if (job.work.small_filter_share > 0) effects[kSmallFilters] = {{name(kSmallFilters, all), 0.2}};
  if (job.compiled) effects[kCompiled] = {{name(kCompiled, all), 0.2}};
  const std::string& link = job.exchange.between_class.empty() ? job.exchange.within_class : job.exchange.between_class;
  if (!link.empty())
    effects[kExchange] = {{name(kExchange, all), 0.5},
                          {name(kExchange, "link=" + link), 0.4},
                          {name(kExchange, "machine=" + job.machine), 0.7}};
  return effects;
}

double sample_seconds(const GainJob& job, const GainSide& side, std::span<const double> latents) {
  DTBENCH_CHECK(latents.size() == kGainLatents && side.batch > 0 && job.passes > 0);
  return matrix_seconds(job, side, latents) + memory_seconds(job, side, latents) +
         step_seconds(job, side, latents) / side.batch;
}

FittedEffects fit_gain_effects(const std::vector<GainObservation>& observations) {
  EffectsProblem problem;
  problem.centres = gain_latent_centres();
  problem.noise = kGainNoise;
  // Two rows an observation: the gain, and weakly the rate of the base side.
  for (const GainObservation& seen : observations) problem.rows.insert(problem.rows.end(), 2, gain_effects(seen.job));
  problem.error = [&](std::size_t row, std::span<const double> latents) {
    const GainObservation& seen = observations[row / 2];
    if (row % 2 == 0) return ln_gain(seen.job, latents) - std::log(seen.gain);
    return kRateWeight * std::log(sample_seconds(seen.job, seen.job.base, latents) * seen.base_samples_per_second);
  };
  return fit_effects(problem);
}

GainPrediction predict_gain(const GainJob& job, const FittedEffects& fitted) {
  const std::vector<double> centres = gain_latent_centres();
  const RowEffects effects = gain_effects(job);
  const auto gain = [&](std::span<const double> latents) { return ln_gain(job, latents); };
  return {std::exp(ln_gain(job, latents_of(centres, effects, fitted))),
          std::hypot(effects_sd(centres, effects, fitted, gain), kGainNoise)};
}

}  // namespace dtbench
