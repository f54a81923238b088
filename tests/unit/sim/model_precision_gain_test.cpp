#include "sim/model/precision_gain.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sim/model/job_parameters.h"
#include "tests/support/error_message.h"
#include "topologies/topology_library.h"

namespace dtbench {
namespace {

/// A network of large matrix products: 256 samples of 24 TFLOP and 1 GB a sample.
GainJob job_on(const std::string& device) {
  GainJob job;
  job.script = "a script";
  job.model = "a network";
  job.work = {"convolution", 24e12, 1e9, 0, 1000, 25e6};
  job.device = TopologyLibrary().device(device);
  const bool tf32 = job.device.peak_flops.count(Arithmetic::tf32) > 0;
  job.base = {tf32 ? Arithmetic::tf32 : Arithmetic::float32, 256, 4};
  job.mixed = {Arithmetic::float16, 256, 4};
  return job;
}

double gain_of(const GainJob& job, const FittedEffects& fitted = {}) { return predict_gain(job, fitted).gain; }

FittedEffects shipped() {
  return job_parameters_from_json_file(data_directory() + "/calibrations/mixed_precision.json").effects;
}

TEST(PrecisionGain, IsOneBetweenEqualSides) {
  GainJob job = job_on("V100");
  job.mixed = job.base;
  EXPECT_DOUBLE_EQ(gain_of(job), 1);
  EXPECT_DOUBLE_EQ(gain_of(job, shipped()), 1);
}

TEST(PrecisionGain, FollowsTheGenerationsForLargeProducts) {
  for (const FittedEffects& fitted : {FittedEffects(), shipped()}) {
    const double volta = gain_of(job_on("V100"), fitted), ampere = gain_of(job_on("A100"), fitted),
                 pascal = gain_of(job_on("GTX-1080-Ti"), fitted);
    EXPECT_GT(volta, 3) << "tensor cores against float32";
    EXPECT_LT(volta, 125 / 15.7);
    EXPECT_GT(ampere, 1.2) << "float16 against TF32";
    EXPECT_LT(ampere, 3);
    EXPECT_GT(pascal, 0.95) << "no tensor cores: bytes alone";
    EXPECT_LT(pascal, 1.1);
  }
}

TEST(PrecisionGain, OfMemoryBoundWorkIsTheRatioOfBytesAtMost) {
  GainJob job = job_on("V100");
  job.work.matrix_flops = 1;
  job.work.kernels = job.work.parameters = 0;
  EXPECT_GT(gain_of(job, shipped()), 1.5);
  EXPECT_LT(gain_of(job, shipped()), 2.5);
}

TEST(PrecisionGain, NeverFallsWithAFasterMatrixUnit) {
  GainJob job = job_on("A100");
  double last = 0;
  for (const double peak : {100e12, 200e12, 400e12, 800e12, 1600e12}) {
    job.device.peak_flops[Arithmetic::float16] = peak;
    const double gain = gain_of(job, shipped());
    EXPECT_GT(gain, last);
    last = gain;
  }
}

TEST(PrecisionGain, ALargerMixedBatchPaysForLaunchesAndExchangeOnly) {
  GainJob job = job_on("V100");
  job.work.kernels = 20000;
  const double same = gain_of(job);
  job.mixed.batch = 512;
  EXPECT_GT(gain_of(job), same);
  job.work.kernels = job.work.parameters = 0;
  const double free = gain_of(job);
  job.mixed.batch = 64;
  EXPECT_DOUBLE_EQ(gain_of(job), free);
}

TEST(PrecisionGain, TendsToTheRatioOfBytesAndBatchesWhereTheExchangeIsAll) {
  GainJob job = job_on("RTX-3090");
  job.exchange.within_node = 1;  // a second a byte
  job.exchange.within_class = "pcie4-staged";
  job.mixed.bytes_per_parameter = 2;
  job.mixed.batch = 512;
  EXPECT_NEAR(gain_of(job), 4, 0.01);
}

TEST(PrecisionGain, IsLessSureOfAScriptThatNobodyMeasured) {
  GainJob known = job_on("V100");
  known.script = "PyTorch of NVIDIA/DeepLearningExamples";
  known.model = "resnet50";
  EXPECT_LT(predict_gain(known, shipped()).ln_sd, predict_gain(job_on("V100"), shipped()).ln_sd);
}

TEST(PrecisionGain, NamesADeviceWithoutTheArithmetic) {
  GainJob job = job_on("V100");
  job.mixed.arithmetic = Arithmetic::bfloat16;
  EXPECT_EQ(message_of([&] { gain_of(job); }), "device 'V100-SXM2-16GB': no bfloat16");
}

}  // namespace
}  // namespace dtbench
