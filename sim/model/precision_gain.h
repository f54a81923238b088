// How much faster a training job gets in mixed precision: the mechanism that published pairs of throughputs can pin.
//
//   step(p) = matrix FLOPs / (peak(p) * efficiency(p))        matrix units, or cores without them
//           + bytes(p) / memory bandwidth                     everything that is no matrix product
//           + optimizer bytes / memory bandwidth + kernels * launch + exchange of the gradients    once a step
//   gain    = samples per second in mixed precision / in the base precision, each side at its own batch
//
// Efficiencies, the share of memory-bound work, launches and the exchange are sums of effects of the job's labels
// (effects_fit.h); peaks, bandwidths and launches are the device's. Only the ratio of the two sides is predicted, so
// that what both share cancels; the absolute rate of the base side is a weak witness in the fit.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/model/effects_fit.h"
#include "sim/model/job_scaling.h"
#include "topologies/topology.h"

namespace dtbench {

/// What one sample of a network asks of a device, forward and backward.
struct JobWork {
  std::string kind;  ///< "convolution", "transformer", ...: networks that behave alike
  double matrix_flops = 0;
  double other_bytes = 0;  ///< moved in float32 by all that is no matrix product
  double small_filter_share =
      0;               ///< of the matrix FLOPs in 3x3 convolutions, which need fewer multiplications in float32
  double kernels = 0;  ///< of one step, whatever its batch
  double parameters = 0;
};

/// One of the two precisions of a pair.
struct GainSide {
  Arithmetic arithmetic = Arithmetic::float32;  ///< of matrix products
  double batch = 1;                             ///< samples a device and pass
  double bytes_per_parameter = 4;               ///< on the wire
};

struct GainJob {
  std::string script;  ///< who measured with what: "PyTorch of lambdal/deeplearning-benchmark"
  std::string model;
  std::string machine;    ///< as in job_scaling.h
  bool compiled = false;  ///< a compiler fuses what is memory-bound
  JobWork work;
  DeviceSpec device;
  GainSide base, mixed;
  double passes = 1;      ///< between two exchanges
  ExchangeCost exchange;  ///< of the whole machine; empty on one device
};

/// The hidden numbers of a job, logarithms, in the order of the latents.
enum GainLatent {
  kFloat32Efficiency,
  kTf32Efficiency,
  kHalfEfficiency,
  kMatrixWork,
  kOtherBytes,
  kHalfBytes,
  kLaunches,
  kSmallFilters,
  kExchange,
  kCompiled,
  kGainLatents
};
inline constexpr std::array<std::string_view, kGainLatents> kGainLatentNames = {
    "float32_efficiency", "tf32_efficiency", "half_efficiency", "matrix_work", "other_bytes",
    "half_bytes",         "launches",        "small_filters",   "exchange",    "compiled"};
std::vector<double> gain_latent_centres();
RowEffects gain_effects(const GainJob& job);

/// Device seconds of one sample on one side. Bad-input error when the device has no such arithmetic.
double sample_seconds(const GainJob& job, const GainSide& side, std::span<const double> latents);

/// A published pair beside the job.
struct GainObservation {
  GainJob job;
  double gain = 0;
  double base_samples_per_second = 0;  ///< a device
};
FittedEffects fit_gain_effects(const std::vector<GainObservation>& observations);

struct GainPrediction {
  double gain = 0;
  double ln_sd = 0;  ///< before calibration by groups
};
GainPrediction predict_gain(const GainJob& job, const FittedEffects& fitted);

}  // namespace dtbench
