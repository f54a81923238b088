#include "sim/model/job_scaling.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <random>

#include "sim/model/job_parameters.h"
#include "topologies/topology_library.h"

namespace dtbench {
namespace {

class HostlessProbe : public HostProbe {
 public:
  HostFacts facts() const override { return {}; }
};

Topology machine(const std::string& spelling) { return TopologyLibrary().resolve(spelling, HostlessProbe()); }

ScalingJob job(const std::string& from, const std::string& to) {
  ScalingJob made;
  made.labels = {"PyTorch", "pytorch", "image classification", to, true, true};
  made.gradient_bytes = 1e8;
  const Topology anchor = machine(from), target = machine(to);
  made.anchor_devices = anchor.devices();
  made.devices = target.devices();
  made.anchor_step_seconds = 0.2;
  made.at_anchor = exchange_cost(anchor);
  made.at_target = exchange_cost(target);
  return made;
}

std::vector<double> some_latents(std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  return {0.02 + 0.05 * normal(random), 1 + 3 * normal(random), 2 * normal(random), normal(random), normal(random)};
}

TEST(ExchangeCost, FollowsTheLinksOfTheMachine) {
  EXPECT_EQ(exchange_cost(machine("1xA100@hgx-a100")).within_node, 0);
  const ExchangeCost nvlink = exchange_cost(machine("8xA100@hgx-a100")), pcie = exchange_cost(machine("8xA100-PCIe@pcie"));
  EXPECT_LT(nvlink.within_node, pcie.within_node);
  EXPECT_EQ(nvlink.between_nodes, 0);
  EXPECT_EQ(nvlink.within_class, "nvlink3-switch");
  const ExchangeCost nodes = exchange_cost(machine("2x8xA100@dgx-a100"));
  EXPECT_GT(nodes.between_nodes, 0);
  EXPECT_NE(nodes.between_class, "");
}

TEST(ExchangeCost, CardsWithoutPeerToPeerShareOnePathThroughTheHost) {
  const ExchangeCost two = exchange_cost(machine("2xRTX3090@pcie")), eight = exchange_cost(machine("8xRTX3090@pcie"));
  EXPECT_EQ(two.within_class, "pcie4-staged");
  // 2 (N - 1) / N bytes an edge, over (2 / N)^1.63 of the bandwidth
  EXPECT_NEAR(eight.within_node / two.within_node, 1.75 * std::pow(4, 1.63), 1e-6);
}

TEST(JobScaling, TheAnchorComesOutExactly) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 300; ++i)
    for (const char* spelling : {"1xV100@dgx1", "2xRTX3090@pcie", "2x8xA100@dgx-a100"}) {
      const ScalingJob same = job(spelling, spelling);
      EXPECT_NEAR(predicted_step_seconds(same, some_latents(random)), 0.2, 1e-12) << spelling;
    }
}

TEST(JobScaling, NothingIsMuchFasterThanLinear) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 300; ++i) {
    const double step = predicted_step_seconds(job("1xV100@dgx1", "8xV100@dgx1"), some_latents(random));
    EXPECT_GE(step, 0.2 / 1.03 - 1e-12);
    EXPECT_TRUE(std::isfinite(step));
  }
}

TEST(JobScaling, MoreBandwidthIsNeverSlowerAndMoreBytesNeverFaster) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 300; ++i) {
    ScalingJob some = job("1xRTX3090@pcie", "8xRTX3090@pcie");
    std::vector<double> latents = some_latents(random);
    const double before = predicted_step_seconds(some, latents);
    latents[kLnWithin] += 0.5;
    EXPECT_LE(predicted_step_seconds(some, latents), before + 1e-12);
    some.gradient_bytes *= 2;
    EXPECT_LE(predicted_step_seconds(job("1xRTX3090@pcie", "8xRTX3090@pcie"), latents),
              predicted_step_seconds(some, latents) + 1e-12);
  }
}

TEST(JobScaling, AccumulationAmortisesTheExchange) {
  ScalingJob often = job("1xRTX3090@pcie", "8xRTX3090@pcie"), seldom = often;
  seldom.passes = 32;
  seldom.anchor_step_seconds *= 32;
  const std::vector<double> latents = job_latent_centres();
  EXPECT_LT(predicted_step_seconds(seldom, latents) / seldom.anchor_step_seconds,
            predicted_step_seconds(often, latents) / often.anchor_step_seconds);
}

TEST(JobScaling, FitsWhatItWasMadeFrom) {
  // A slow link, seen through four jobs of different sizes.
  std::vector<ScalingObservation> seen;
  std::vector<double> truth = job_latent_centres();
  truth[kLnWithin] = -1;
  for (const double bytes : {5e7, 1e8, 2e8, 4e8}) {
    ScalingObservation one{job("1xV100@dgx1", "8xV100@dgx1"), 0};
    one.job.gradient_bytes = bytes;
    one.step_seconds = predicted_step_seconds(one.job, truth);
    seen.push_back(one);
  }
  const FittedEffects fitted = fit_job_effects(seen);
  for (const ScalingObservation& one : seen)
    EXPECT_NEAR(predict_job(one.job, fitted).step_seconds / one.step_seconds, 1, 0.02);
}

TEST(JobScaling, AnUnseenMachineHasAWiderBand) {
  std::vector<ScalingObservation> seen;
  for (int i = 1; i <= 24; ++i) {
    ScalingObservation one{job("1xRTX3090@pcie", "8xRTX3090@pcie"), 0};
    one.job.gradient_bytes = 1e7 * i;
    one.step_seconds = predicted_step_seconds(one.job, job_latent_centres());
    seen.push_back(one);
  }
  const FittedEffects fitted = fit_job_effects(seen);
  ScalingJob unseen = seen.back().job;
  unseen.labels.machine = "another";
  const ScalingPrediction known = predict_job(seen.back().job, fitted), unknown = predict_job(unseen, fitted);
  EXPECT_LT(known.ln_sd, unknown.ln_sd);
  const StepBand band = step_band(unknown, 2);
  EXPECT_LE(band.low, unknown.step_seconds);
  EXPECT_GE(band.low, 0.2 / 1.03 - 1e-12) << "nothing is much faster than linear";
  EXPECT_GT(band.high, unknown.step_seconds);
}

TEST(JobParameters, TheShippedOnesAreReadAndWrittenBack) {
  const std::string file = shipped_job_parameters_file(data_directory());
  const JobParameters shipped = job_parameters_from_json_file(file);
  EXPECT_GT(shipped.effects.size(), 100u);
  EXPECT_GT(shipped.band_factor, 1);
  EXPECT_EQ(job_parameters_to_json_text(shipped), [&] {
    std::ifstream stream(file);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  }());
}

}  // namespace
}  // namespace dtbench
