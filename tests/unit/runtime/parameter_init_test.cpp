#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "engine/runtime/engine_session.h"
#include "tests/support/fake_backend.h"
#include "tests/support/layered_plan.h"

namespace dtbench {
namespace {

// A weight of 50 x 100 at `first_element` of a bucket, a bias of 7 after it.
StepPlan plan_with_parameters(std::int64_t first_element, int ranks, Initial initial) {
  StepPlan plan = layered_plan({ranks, 1, 16});
  RankClass& rank_class = plan.classes[0];
  const auto bucket = static_cast<TensorId>(rank_class.tensors.size());
  const std::int64_t elements = first_element + 5000 + 7;
  rank_class.tensors.push_back({"bucket", {elements}, DType::float32, TensorRole::parameter});
  rank_class.tensors.push_back({"w", {50, 100}, DType::float32, TensorRole::parameter});
  rank_class.tensors.back().initial = initial;
  rank_class.tensors.push_back({"b", {7}, DType::float32, TensorRole::parameter});
  rank_class.tensors.back().initial = {1, 0};
  rank_class.tensors[bucket + 1].view = View{bucket, first_element};
  rank_class.tensors[bucket + 2].view = View{bucket, first_element + 5000};
  const std::int64_t bytes = (elements * 4 + 63) / 64 * 64;
  rank_class.memory.allocations.push_back({bucket, rank_class.memory.arena_bytes, bytes, 1});
  rank_class.memory.arena_bytes += bytes;
  rank_class.memory.use.activations += bytes;
  rank_class.memory.use.total += bytes;
  return plan;
}

std::vector<double> weights(std::int64_t first_element, int ranks, int rank, std::uint64_t seed,
                            Initial initial = {0, 0.2}) {
  const FakeBackend backend;
  const auto session = open_session(backend, plan_with_parameters(first_element, ranks, initial), {});
  initialize_parameters(*session, seed);
  return session->read(rank, 2);
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double variance(const std::vector<double>& values) {
  const double middle = mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - middle) * (value - middle);
  return squares / static_cast<double>(values.size());
}

TEST(InitializeParameters, DependsOnSeedButNotOnReplicasNorBuckets) {
  const auto reference = weights(0, 1, 0, 5);
  EXPECT_EQ(weights(32, 3, 2, 5), reference);
  EXPECT_NE(weights(0, 1, 0, 6), reference);
}

TEST(InitializeParameters, DrawsTheMeanAndDeviationOfTheModel) {
  for (const Initial::Law law : {Initial::Law::normal, Initial::Law::uniform}) {
    const auto values = weights(0, 1, 0, 5, {3, 0.2, law});
    EXPECT_NEAR(mean(values), 3, 4 * 0.2 / std::sqrt(5000.0));
    EXPECT_NEAR(variance(values), 0.04, 4 * 0.04 * std::sqrt(2.0 / 5000));
  }
}

TEST(InitializeParameters, StaysWithinTheBoundsOfTheLaw) {
  for (const double value : weights(0, 1, 0, 5, {3, 0.2, Initial::Law::uniform}))
    ASSERT_LE(std::abs(value - 3), 0.2 * std::sqrt(3.0));
  const auto truncated = weights(0, 1, 0, 5, {0, 0.2, Initial::Law::truncated_normal});
  for (const double value : truncated) ASSERT_LE(std::abs(value), 0.4);
  const double of_law = 0.774 * 0.04;  // variance of a standard normal cut at 2: 1 - 4 phi(2) / (2 Phi(2) - 1)
  EXPECT_NEAR(variance(truncated), of_law, 4 * of_law * std::sqrt(2.0 / 5000));
}

TEST(InitializeParameters, WritesConstants) {
  const FakeBackend backend;
  const auto session = open_session(backend, plan_with_parameters(0, 1, {}), {});
  session->write(0, 2, std::vector<double>(5000, 9.0));
  session->write(0, 3, std::vector<double>(7, 9.0));
  initialize_parameters(*session, 5);
  EXPECT_EQ(session->read(0, 2), std::vector<double>(5000, 0.0));
  EXPECT_EQ(session->read(0, 3), std::vector<double>(7, 1.0));
}

}  // namespace
}  // namespace dtbench
