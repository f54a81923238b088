#include "sim/model/job_scaling.h"

#include <algorithm>
#include <cmath>

#include "engine/collectives/algorithm.h"
#include "sim/model/cost_model.h"
#include "topologies/base/error.h"

namespace dtbench {

namespace {

/// Part of a pass's compute behind which an exchange can hide at best.
constexpr double kWindow = 0.9;
/// The most that published jobs gain over linear scaling, as a share; more is an odd anchor.
constexpr double kMostGain = 0.03;
/// An anchor's step is computing for at least this share: what communication cannot explain is not inverted further.
constexpr double kLeastCompute = 0.05;
/// Spread of published measurements of the same thing (two prints of one configuration: 0.6 % median, 4 % 90th
/// percentile; real against generated data: 1.5 %).
constexpr double kStepNoise = 0.015;
/// Through host memory every device beyond two slows all others: bus bandwidths of 8 L40S without peer-to-peer are 20,
/// 5.9 and 2.1 GB/s on 2, 4 and 8 devices, (2 / N)^1.63: more steeply than a shared path alone.
constexpr double kStagedSteepness = 1.63;
/// Jobs reach less of a fast link than of a slow one (copies into buckets, one kernel a bucket, contention): reached is
/// proportional to nominal^0.5, and a class of links with this nominal bandwidth is the unit.
constexpr double kReachedExponent = 0.5, kReferenceBandwidth = 30e9;
/// The share of overhead grows by this part of its value on 8 devices with every doubling: stragglers.
constexpr double kShareGrowth = 0.33;

Group whole_machine(const Topology& topology) {
  return {"data", {0, topology.devices(), 1}, 1, 0, {topology.nodes, topology.devices_per_node}};
}

bool is_staged(const Topology& topology) {
  const Tier& tier = topology.within_node;
  return tier.wiring == Wiring::pcie_tree && !tier.pcie.peer_to_peer;
}

/// Bytes/s of an edge inside the nodes before efficiencies; where transfers are staged the nominal bandwidth is shared
/// already, and shared out anew.
double reached_within(const Topology& topology, double nominal) {
  const double sharing = is_staged(topology) ? std::max(topology.devices_per_node, 2) / 2.0 : 1;
  const double alone = nominal * sharing;
  return kReferenceBandwidth * std::pow(alone / kReferenceBandwidth, kReachedExponent) /
         std::pow(sharing, kStagedSteepness);
}

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

/// Seconds of the exchange of a job for these efficiencies.
double exchange_seconds(const ExchangeCost& cost, double bytes, std::span<const double> latents) {
  return bytes * (cost.within_node / std::exp(latents[kLnWithin]) + cost.between_nodes / std::exp(latents[kLnBetween]));
}

/// What a step costs beyond computing.
struct Overheads {
  double share = 0, fixed = 0, exchange = 0, exposed = 0, passes = 1;

  double step(double compute) const {
    const double hidden = std::max(exposed * exchange, exchange - kWindow * compute / passes);
    return std::max(compute * (1 + share) + fixed + hidden, compute / (1 + kMostGain));
  }
  /// The compute of a step: the smaller of the solutions of both cases, since each grows with compute.
  double compute(double step_seconds) const {
    const double overlapped = (step_seconds - fixed - exposed * exchange) / (1 + share);
    const double bound = (step_seconds - fixed - exchange) / std::max(1 + share - kWindow / passes, kLeastCompute);
    const double found = std::min({overlapped, bound, step_seconds * (1 + kMostGain)});
    return std::max(found, kLeastCompute * step_seconds);
  }
};

Overheads overheads(const ScalingJob& job, int devices, const ExchangeCost& cost, std::span<const double> latents) {
  if (devices <= 1) return {};
  const double growth = 1 + kShareGrowth * std::log2(devices / 8.0);
  return {std::max(latents[kShare] * growth, -kMostGain), latents[kFixedMilliseconds] / 1e3,
          exchange_seconds(cost, job.gradient_bytes, latents), logistic(latents[kExposedLogit]), job.passes};
}

}  // namespace

ExchangeCost exchange_cost(const Topology& topology) {
  if (topology.devices() <= 1) return {};
  const Group group = whole_machine(topology);
  const CollectiveAlgorithm& hierarchical = collective_algorithm("hierarchical");
  const bool levels = hierarchical.supports(CollectiveKind::all_reduce, group.shape);
  const CollectiveAlgorithm& algorithm = levels ? hierarchical : collective_algorithm("ring");
  CapacityTable capacities(topology);
  ExchangeCost cost;
  for (const Phase& phase : algorithm.phases(CollectiveKind::all_reduce, group.shape, 1)) {
    if (phase.rounds == 0 || phase.ring_size <= 1) continue;
    const EdgeCapacity& nominal = capacities.capacity(group, phase.scope);
    if (nominal.within_node <= nominal.between_nodes)
      cost.within_node += phase.bytes_per_edge / reached_within(topology, nominal.within_node);
    else
      cost.between_nodes += phase.bytes_per_edge / nominal.between_nodes;
  }
  if (cost.within_node > 0) cost.within_class = topology.within_node.link_class + (is_staged(topology) ? "-staged" : "");
  if (cost.between_nodes > 0) cost.between_class = topology.between_nodes->link_class;
  return cost;
}

ReachedShare reached_share(const Topology& topology) {
  if (topology.devices_per_node <= 1) return {};
  const Group group = whole_machine(topology);
  CapacityTable capacities(topology);
  const double nominal =
      capacities.capacity(group, topology.nodes > 1 ? Scope::within_node : Scope::flat).within_node;
  return {reached_within(topology, nominal) / nominal};
}

std::vector<double> job_latent_centres() { return {0.02, 1, 0, 0, 0}; }

RowEffects job_effects(const ScalingJob& job) {
  const JobLabels& labels = job.labels;
  const auto name = [](JobLatent latent, const std::string& label) {
    return std::string(kJobLatentNames[latent]) + "/" + label;
  };
  const std::string everything = "all", framework = "framework=" + labels.framework,
                    family = "family=" + labels.framework_family, task = "task=" + labels.task;
  const std::string pair = framework + "," + task;
  RowEffects effects(kJobLatents);
  effects[kShare] = {{name(kShare, everything), 0.03},
                     {name(kShare, family), 0.02},
                     {name(kShare, framework), 0.02},
                     {name(kShare, task), 0.03},
                     {name(kShare, pair), 0.03}};
  if (labels.decodes_real_data && labels.mixed_precision) {
    // Decoding competes with a network that mixed precision made fast: seen in PyTorch, not in MXNet.
    effects[kShare].push_back({name(kShare, framework + ",decoding,mixed"), 0.1});
  }
  effects[kFixedMilliseconds] = {{name(kFixedMilliseconds, everything), 2},
                                 {name(kFixedMilliseconds, family), 2},
                                 {name(kFixedMilliseconds, framework), 2},
                                 {name(kFixedMilliseconds, task), 2}};
  effects[kExposedLogit] = {{name(kExposedLogit, everything), 1.5}, {name(kExposedLogit, family), 1},
                            {name(kExposedLogit, framework), 1.5},  {name(kExposedLogit, task), 1.5},
                            {name(kExposedLogit, pair), 1}};
  if (!job.at_target.within_class.empty())
    effects[kLnWithin] = {{name(kLnWithin, everything), 0.7},
                          {name(kLnWithin, "link=" + job.at_target.within_class), 0.6},
                          {name(kLnWithin, "machine=" + labels.machine), 0.7}};
  if (!job.at_target.between_class.empty())
    effects[kLnBetween] = {{name(kLnBetween, everything), 0.7},
                           {name(kLnBetween, "link=" + job.at_target.between_class), 0.4},
                           {name(kLnBetween, "machine=" + labels.machine), 0.8}};
  return effects;
}

double predicted_step_seconds(const ScalingJob& job, std::span<const double> latents) {
  DTBENCH_CHECK(job.anchor_step_seconds > 0 && latents.size() == kJobLatents);
  const Overheads anchor = overheads(job, job.anchor_devices, job.at_anchor, latents);
  const Overheads target = overheads(job, job.devices, job.at_target, latents);
  const double compute = anchor.compute(job.anchor_step_seconds);
  // Relative to what the model says of the anchor: exact even where communication alone exceeds the anchor's step.
  const double ratio = target.step(compute) / anchor.step(compute);
  return job.anchor_step_seconds * std::max(ratio, 1 / (1 + kMostGain));
}

FittedEffects fit_job_effects(const std::vector<ScalingObservation>& observations) {
  EffectsProblem problem;
  problem.centres = job_latent_centres();
  for (const ScalingObservation& seen : observations) problem.rows.push_back(job_effects(seen.job));
  problem.error = [&](std::size_t row, std::span<const double> latents) {
    return std::log(predicted_step_seconds(observations[row].job, latents) / observations[row].step_seconds);
  };
  return fit_effects(problem);
}

ScalingPrediction predict_job(const ScalingJob& job, const FittedEffects& fitted) {
  const std::vector<double> centres = job_latent_centres();
  const RowEffects effects = job_effects(job);
  const auto ln_step = [&](std::span<const double> latents) { return std::log(predicted_step_seconds(job, latents)); };
  const double sd = effects_sd(centres, effects, fitted, ln_step);
  return {predicted_step_seconds(job, latents_of(centres, effects, fitted)), std::hypot(sd, kStepNoise),
          job.anchor_step_seconds / (1 + kMostGain)};
}

StepBand step_band(const ScalingPrediction& prediction, double factor) {
  const double spread = std::exp(factor * prediction.ln_sd);
  const double low = std::min(std::max(prediction.step_seconds / spread, prediction.least_step_seconds),
                              prediction.step_seconds);
  return {low, prediction.step_seconds * spread};
}

}  // namespace dtbench
