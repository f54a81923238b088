// How a whole training job scales, from one of its throughputs: the mechanism that published measurements can pin.
//
//   step(N) = compute + [N > 1] (share * compute + fixed + exposed)
//   exposed = max(E * C, C - window * compute of the last pass)
//   C       = seconds of the gradients' all-reduce: bytes and links from the collective's phases, over nominal bandwidth
//             times an efficiency per link class and machine
//
// Compute is found by inverting step(anchor's devices) = anchor's step, so that the anchor comes out exactly.
// share, fixed, E and the efficiencies are sums of effects of the job's labels (effects_fit.h).
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "sim/model/effects_fit.h"
#include "topologies/topology.h"

namespace dtbench {

/// An all-reduce over all devices of a machine before efficiencies, in seconds per byte of the buffer, by the tier that
/// limits its phases.
struct ExchangeCost {
  double within_node = 0, between_nodes = 0;
  std::string within_class, between_class;  ///< of the links; "" when none is crossed
};
/// The whole machine. Transfers staged through host memory get the class "<class>-staged": they share one path.
ExchangeCost exchange_cost(const Topology& topology);

/// What jobs are taken to reach of the nominal bandwidth with all devices, before efficiencies; 0 where no link of the
/// tier is crossed.
struct ReachedShare {
  double within_node = 0;
};
ReachedShare reached_share(const Topology& topology);

/// What of a job is known beside its throughput; texts are labels of effects.
struct JobLabels {
  std::string framework;         ///< as precise as known: "TensorFlow1 parameter_server"
  std::string framework_family;  ///< "tensorflow"
  std::string task;              ///< "image classification"
  std::string machine;           ///< device, system and who measured: its cabling and software are one unknown
  bool decodes_real_data = false;  ///< images from files rather than generated ones
  bool mixed_precision = false;
};

struct ScalingJob {
  JobLabels labels;
  double gradient_bytes = 0;  ///< on the wire, of one exchange
  double passes = 1;          ///< between two exchanges (gradient accumulation)
  int anchor_devices = 1, devices = 1;
  double anchor_step_seconds = 0;  ///< between two exchanges
  ExchangeCost at_anchor, at_target;
};

/// The hidden numbers of a job, in the order of the latents.
enum JobLatent { kShare, kFixedMilliseconds, kExposedLogit, kLnWithin, kLnBetween, kJobLatents };
inline constexpr std::array<std::string_view, kJobLatents> kJobLatentNames = {
    "overhead_share", "overhead_milliseconds", "exposed_logit", "ln_efficiency_within_node",
    "ln_efficiency_between_nodes"};
std::vector<double> job_latent_centres();
RowEffects job_effects(const ScalingJob& job);

/// Step seconds at the target's devices; a device is never more than 3 % faster than on the anchor's machine, since
/// nothing gets much faster than linear.
double predicted_step_seconds(const ScalingJob& job, std::span<const double> latents);

/// A published step time beside the job.
struct ScalingObservation {
  ScalingJob job;
  double step_seconds = 0;
};
FittedEffects fit_job_effects(const std::vector<ScalingObservation>& observations);

struct ScalingPrediction {
  double step_seconds = 0;
  double ln_sd = 0;  ///< before calibration by groups; of the model's parameters and of noise
  double least_step_seconds = 0;  ///< of linear scaling and 3 % more
};
ScalingPrediction predict_job(const ScalingJob& job, const FittedEffects& fitted);

/// 90 % interval of step seconds: `factor` standard deviations, one-sided where physics says so.
struct StepBand {
  double low = 0, high = 0;
};
StepBand step_band(const ScalingPrediction& prediction, double factor);

}  // namespace dtbench
