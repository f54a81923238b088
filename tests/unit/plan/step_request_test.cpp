#include <gtest/gtest.h>

#include "engine/plan/plan_step.h"
#include "tests/unit/plan/expect_error.h"

namespace dtbench {
namespace {

TEST(RequestAt, FillsNodesFirst) {
  const RunSpec spec;
  EXPECT_EQ(request_at(spec, 1, 8, {}).shape, (GroupShape{1, 1}));
  EXPECT_EQ(request_at(spec, 8, 8, {}).shape, (GroupShape{1, 8}));
  EXPECT_EQ(request_at(spec, 32, 8, {}).shape, (GroupShape{4, 8}));
  EXPECT_EQ(request_at(spec, 3, 1, {}).shape, (GroupShape{3, 1}));
  EXPECT_EQ(bad_input_of([&] { request_at(spec, 12, 8, {}); }).hint, "nearest: 8 or 16");
  EXPECT_EQ(bad_input_of([&] { request_at(spec, 0, 8, {}); }).where, "--devices");
}

TEST(RequestAt, KeepsTheBatchPerReplicaByDefault) {
  RunSpec spec;
  EXPECT_EQ(request_at(spec, 1, 8, {}).batch_per_replica, 256);
  EXPECT_EQ(request_at(spec, 8, 8, {}).batch_per_replica, 256);
  spec.batch_per_replica = 10;
  EXPECT_EQ(request_at(spec, 8, 8, {}).batch_per_replica, 10);
}

TEST(RequestAt, DividesTheGlobalBatch) {
  RunSpec spec;
  spec.global_batch = 96;
  EXPECT_EQ(request_at(spec, 8, 8, {}).batch_per_replica, 12);
  spec.batch_per_replica = 12;
  EXPECT_EQ(bad_input_of([&] { request_at(spec, 8, 8, {}); }).expected, "one of the two");
}

TEST(RequestAt, NamesTheNearestGlobalBatches) {
  RunSpec spec;
  spec.global_batch = 7;
  const ErrorParts parts = bad_input_of([&] { request_at(spec, 8, 8, {}); });
  EXPECT_EQ(parts.where, "--global-batch");
  EXPECT_EQ(parts.found, "7");
  EXPECT_EQ(parts.expected, "a multiple of 8 (devices)");
  EXPECT_EQ(parts.hint, "nearest: 8");
  spec.global_batch = 100;
  spec.devices = {1, 2, 3, 4};
  EXPECT_EQ(bad_input_of([&] { request_at(spec, 3, 8, {}); }).hint, "nearest: 96 or 108, which fit all device counts");
  spec.global_batch = -8;
  bad_input_of([&] { request_at(spec, 4, 8, {}); });
}

TEST(RequestAt, PassesOptionsOn) {
  RunSpec spec;
  spec.model_options = {{"hidden", 64}};
  spec.strategy = "single";
  spec.learning_rate = 0.5;
  spec.momentum = 0.25;
  spec.bucket_bytes = 77;
  spec.collective = "ring";
  BackendTraits traits;
  traits.name = "cuda";
  const StepRequest request = request_at(spec, 1, 8, traits);
  EXPECT_EQ(request.model_options, spec.model_options);
  EXPECT_EQ(request.strategy, "single");
  EXPECT_EQ(request.learning_rate, 0.5);
  EXPECT_EQ(request.momentum, 0.25);
  EXPECT_EQ(request.bucket_bytes, 77);
  EXPECT_EQ(request.collective, "ring");
  EXPECT_EQ(request.traits, traits);
}

TEST(RequestAt, RefusesPrecisionsThatAreNotThere) {
  RunSpec spec;
  spec.precision = "float23";
  EXPECT_EQ(bad_input_of([&] { request_at(spec, 1, 8, {}); }).hint, "did you mean 'float32'?");
}

}  // namespace
}  // namespace dtbench
