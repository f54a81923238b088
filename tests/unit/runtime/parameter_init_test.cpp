#include <gtest/gtest.h>

#include <cmath>

#include "engine/runtime/engine_session.h"
#include "tests/support/fake_backend.h"
#include "tests/support/layered_plan.h"

namespace dtbench {
namespace {

// A weight of 50 x 100 at `first_element` of a bucket, a bias of 7 after it.
StepPlan plan_with_parameters(std::int64_t first_element, int ranks) {
  StepPlan plan = layered_plan({ranks, 1, 16});
  RankClass& rank_class = plan.classes[0];
  const auto bucket = static_cast<TensorId>(rank_class.tensors.size());
  const std::int64_t elements = first_element + 5000 + 7;
  rank_class.tensors.push_back({"bucket", {elements}, DType::float32, TensorRole::parameter});
  rank_class.tensors.push_back({"w", {50, 100}, DType::float32, TensorRole::parameter});
  rank_class.tensors.push_back({"b", {7}, DType::float32, TensorRole::parameter});
  rank_class.tensors[bucket + 1].view = View{bucket, first_element};
  rank_class.tensors[bucket + 2].view = View{bucket, first_element + 5000};
  const std::int64_t bytes = (elements * 4 + 63) / 64 * 64;
  rank_class.memory.allocations.push_back({bucket, rank_class.memory.arena_bytes, bytes, 1});
  rank_class.memory.arena_bytes += bytes;
  rank_class.memory.use.activations += bytes;
  rank_class.memory.use.total += bytes;
  return plan;
}

std::vector<double> weights(std::int64_t first_element, int ranks, int rank, std::uint64_t seed) {
  const FakeBackend backend;
  const auto session = open_session(backend, plan_with_parameters(first_element, ranks), {});
  initialize_parameters(*session, seed);
  return session->read(rank, 2);
}

TEST(InitializeParameters, DependsOnSeedButNotOnReplicasNorBuckets) {
  const auto reference = weights(0, 1, 0, 5);
  EXPECT_EQ(weights(32, 3, 2, 5), reference);
  EXPECT_NE(weights(0, 1, 0, 6), reference);
}

TEST(InitializeParameters, DrawsWeightsWithVarianceTwoOverFanInAndZeroBias) {
  const auto values = weights(0, 1, 0, 5);
  double sum = 0, squares = 0;
  for (const double value : values) {
    sum += value;
    squares += value * value;
  }
  const double deviation = std::sqrt(2.0 / 50);
  EXPECT_NEAR(sum / 5000, 0, 4 * deviation / std::sqrt(5000.0));
  EXPECT_NEAR(squares / 5000, 2.0 / 50, 4 * (2.0 / 50) * std::sqrt(2.0 / 5000));
  const FakeBackend backend;
  const auto session = open_session(backend, plan_with_parameters(0, 1), {});
  session->write(0, 3, std::vector<double>(7, 1.0));
  initialize_parameters(*session, 5);
  EXPECT_EQ(session->read(0, 3), std::vector<double>(7, 0.0));
}

}  // namespace
}  // namespace dtbench
