#include "engine/runtime/input_source.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/support/layered_plan.h"
#include "topologies/base/error.h"

namespace dtbench {
namespace {

struct Batch {
  std::vector<float> features;
  std::vector<std::int32_t> labels;
  bool operator==(const Batch&) const = default;
};

// The whole batch of a step, put together from `replicas` parts of 12 examples in all.
Batch global_batch(int replicas, std::int64_t step, std::uint64_t seed) {
  LayeredPlanShape shape;
  shape.ranks = replicas;
  shape.batch = 12 / replicas;
  const InputFill fill = generated_input(layered_plan(shape), seed);
  Batch all;
  for (int replica = 0; replica < replicas; ++replica) {
    Batch part{std::vector<float>(static_cast<std::size_t>(shape.batch * shape.features)),
               std::vector<std::int32_t>(static_cast<std::size_t>(shape.batch))};
    InputField fields[] = {{"features", part.features, {}}, {"labels", {}, part.labels}};
    fill(replica, step, fields);
    all.features.insert(all.features.end(), part.features.begin(), part.features.end());
    all.labels.insert(all.labels.end(), part.labels.begin(), part.labels.end());
  }
  return all;
}

TEST(GeneratedInput, IsTheSameGlobalBatchWhateverTheNumberOfReplicas) {
  for (std::int64_t step : {0, 1, 1000}) {
    EXPECT_EQ(global_batch(1, step, 5), global_batch(3, step, 5));
    EXPECT_EQ(global_batch(1, step, 5), global_batch(4, step, 5));
  }
}

TEST(GeneratedInput, ChangesWithStepAndSeed) {
  EXPECT_NE(global_batch(1, 0, 5), global_batch(1, 1, 5));
  EXPECT_NE(global_batch(1, 0, 5), global_batch(1, 0, 6));
}

TEST(GeneratedInput, IsEmptyWithoutAnInputOp) { EXPECT_FALSE(generated_input(layered_plan({}), 1)); }

TEST(ExamplePool, DrawsLabelsInRangeAndEveryOneOfThem) {
  const ExamplePool pool(3, 8, 10);
  std::set<int> seen;
  std::vector<float> features(8);
  std::int32_t label = 0;
  for (std::int64_t example = 0; example < 1000; ++example) {
    pool.copy_example(0, example, features, label);
    seen.insert(label);
  }
  EXPECT_EQ(seen.size(), 10u);
  EXPECT_EQ(*seen.begin(), 0);
  EXPECT_EQ(*seen.rbegin(), 9);
}

// Prototypes of variance 1 plus noise of variance 1: examples of one class are half as far apart as others.
TEST(ExamplePool, PutsExamplesOfAClassNearerToEachOther) {
  constexpr int kFeatures = 400;
  const ExamplePool pool(3, kFeatures, 4);
  std::vector<float> a(kFeatures), b(kFeatures);
  std::int32_t label_a = 0, label_b = 0;
  double same = 0, other = 0;
  int same_count = 0, other_count = 0;
  for (std::int64_t i = 0; i < 200; ++i) {
    pool.copy_example(0, i, a, label_a);
    pool.copy_example(1, i, b, label_b);
    double distance = 0;
    for (int f = 0; f < kFeatures; ++f) distance += (a[f] - b[f]) * (a[f] - b[f]) / kFeatures;
    if (distance == 0) continue;  // the same example of the pool
    (label_a == label_b ? same : other) += distance;
    ++(label_a == label_b ? same_count : other_count);
  }
  EXPECT_NEAR(same / same_count, 2.0, 0.3);
  EXPECT_NEAR(other / other_count, 4.0, 0.5);
}

TEST(CheckInputs, RefusesAnOutputThatIsNeitherInputNorLabel) {
  LayeredPlanShape shape;
  shape.batch = 4;
  StepPlan plan = layered_plan(shape);
  RankClass& rank_class = plan.classes[0];
  rank_class.ops[0].outputs.push_back(0);
  EXPECT_THROW(check_inputs(rank_class, rank_class.ops[0]), Error);
}

}  // namespace
}  // namespace dtbench
