#include "sim/model/job_calibration.h"

#include <algorithm>
#include <cmath>

#include "sim/model/job_scaling.h"

namespace dtbench {

namespace {

constexpr double kMostFixed = 0.1;  // of a step

/// A latent for a job whose framework and machine nobody has seen.
struct Belief {
  double value = 0, sd = 0;
};

/// Labels that only this job has stand for everything unseen: their belief widens the latent and moves nothing.
ScalingJob unseen_job(const Topology& topology, const std::string& task) {
  ScalingJob job;
  job.labels = {"", "", task, "", false, false};
  job.devices = topology.devices();
  job.at_target = exchange_cost(topology);
  return job;
}

Belief belief_of(JobLatent latent, const RowEffects& effects, const FittedEffects& fitted) {
  double variance = 0;
  for (const Effect& effect : effects[latent]) {
    const auto found = fitted.find(effect.name);
    variance += std::pow(found == fitted.end() ? effect.belief_sd : found->second.sd, 2);
  }
  return {latents_of(job_latent_centres(), effects, fitted)[latent], std::sqrt(variance)};
}

}  // namespace

Calibration with_job_parameters(Calibration calibration, const Topology& topology, const JobParameters& jobs,
                                const std::string& task, double step_seconds) {
  if (topology.devices() <= 1) return calibration;
  const ScalingJob job = unseen_job(topology, task);
  const RowEffects effects = job_effects(job);
  const auto parameter = [&](double value, double ln_sd) {
    return Parameter{value, std::min(ln_sd, kLargestLnSd), Origin::fitted, jobs.name + ": " + jobs.source};
  };
  const auto set_efficiency = [&](const std::string& link_class, double reached, JobLatent latent) {
    const Belief belief = belief_of(latent, effects, jobs.effects);
    LinkCalibration link = calibration.link(link_class);
    link.efficiency = parameter(std::min(reached * std::exp(belief.value), 1.0), belief.sd);
    calibration.links[link_class] = link;
  };
  if (const ReachedShare share = reached_share(topology); share.within_node > 0)
    set_efficiency(topology.within_node.link_class, share.within_node, kLnWithin);
  if (topology.nodes > 1) set_efficiency(topology.between_nodes->link_class, 1, kLnBetween);

  const Belief fixed = belief_of(kFixedMilliseconds, effects, jobs.effects);
  const double milliseconds = std::min(std::max(fixed.value, 0.1), kMostFixed * step_seconds * 1e3);
  calibration.parallel_overhead_seconds = parameter(milliseconds / 1e3, std::log1p(fixed.sd / std::max(fixed.value, 0.1)));
  const Belief share = belief_of(kShare, effects, jobs.effects);
  calibration.crowding = parameter(1 + std::max(share.value, 0.0), share.sd);
  const Belief exposed = belief_of(kExposedLogit, effects, jobs.effects);
  const double felt = 1 / (1 + std::exp(-exposed.value));
  calibration.overlap_slowdown = parameter(felt, (1 - felt) * exposed.sd);
  return calibration;
}

}  // namespace dtbench
