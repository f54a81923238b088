#include "engine/train/trainer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "engine/reference/reference_backend.h"
#include "engine/train/data/labelled_examples.h"
#include "engine/train/data/text_windows.h"
#include "topologies/base/error.h"

namespace dtbench {
namespace {

// Two classes that a linear model separates: the label is whether the first half of the pixels is brighter.
Dataset separable(std::int64_t examples, std::uint64_t seed) {
  Dataset dataset{examples, 8, {}, {}, 0.5, 0.3};
  std::mt19937_64 random(seed);
  for (std::int64_t e = 0; e < examples; ++e) {
    const int label = static_cast<int>(random() % 2);
    for (int f = 0; f < 8; ++f)
      dataset.values.push_back(static_cast<std::uint8_t>(random() % 120 + (f / 4 == label ? 120 : 0)));
    dataset.labels.push_back(label);
  }
  return dataset;
}

TrainingData separable_data() { return labelled_data({"separable", 2, separable(400, 1), separable(130, 2)}); }

StepRequest request(int replicas, std::int64_t batch_per_replica) {
  StepRequest r;
  r.model = "mlp";
  r.model_options = {{"hidden", 16}, {"layers", 1}, {"inputs", 8}, {"classes", 2}};
  r.batch_per_replica = batch_per_replica;
  r.replicas = replicas;
  r.shape = {1, replicas};
  r.traits = make_reference_backend()->traits();
  return r;
}

std::vector<EpochOutcome> outcomes(int replicas, std::int64_t batch, TrainingOptions options = {}) {
  return train(*make_reference_backend(), request(replicas, batch), separable_data(), options, nullptr);
}

TEST(Trainer, LearnsASeparableTask) {
  const auto epochs = outcomes(1, 20);
  ASSERT_EQ(epochs.size(), 5u);
  EXPECT_LT(epochs.back().train_loss, epochs.front().train_loss);
  EXPECT_GT(epochs.back().test_accuracy, 0.95);
  EXPECT_LT(epochs.back().test_loss, epochs.front().test_loss);
  EXPECT_LT(epochs.back().test_loss, std::log(2.0));
}

TEST(Trainer, StopsAtTheTarget) {
  TrainingOptions options;
  options.epochs = 50;
  options.target_accuracy = 0.9;
  EXPECT_LT(outcomes(1, 20, options).size(), 50u);
}

TEST(Trainer, TwoReplicasLearnWhatOneLearns) {
  const auto one = outcomes(1, 20), two = outcomes(2, 10);
  for (std::size_t e = 0; e < one.size(); ++e) {
    EXPECT_NEAR(one[e].train_loss, two[e].train_loss, 1e-3 * one[e].train_loss) << "epoch " << e + 1;
    EXPECT_NEAR(one[e].test_accuracy, two[e].test_accuracy, 0.01) << "epoch " << e + 1;
  }
}

TEST(Trainer, SameSeedSameResult) {
  const auto a = outcomes(1, 20), b = outcomes(1, 20);
  EXPECT_EQ(a.back().train_loss, b.back().train_loss);
  TrainingOptions other;
  other.engine.seed = 2;
  EXPECT_NE(a.back().train_loss, outcomes(1, 20, other).back().train_loss);
}

TEST(Trainer, RefusesABatchLargerThanTheData) { EXPECT_THROW(outcomes(1, 401), Error); }

TEST(Trainer, RefusesAModelOfAnotherInputSize) {
  StepRequest r = request(1, 20);
  r.model_options["inputs"] = 9;
  EXPECT_THROW(train(*make_reference_backend(), r, separable_data(), {}, nullptr), Error);
}

TEST(Trainer, RefusesFewerClassesThanTheLabelsHave) {
  StepRequest r = request(1, 20);
  r.model_options["classes"] = 1;
  EXPECT_THROW(train(*make_reference_backend(), r, separable_data(), {}, nullptr), Error);
}

TEST(Trainer, RefusesTextForAModelOfImages) {
  const TrainingData text = text_data("text", {std::string(1000, 'a')}, 8);
  EXPECT_THROW(train(*make_reference_backend(), request(1, 20), text, {}, nullptr), Error);
}

TEST(Trainer, NamesTheStepWhereTheLossDiverges) {
  StepRequest r = request(1, 20);
  r.learning_rate = 1e30;
  try {
    train(*make_reference_backend(), r, separable_data(), {}, nullptr);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::run_failed);
    EXPECT_NE(std::string(error.what()).find("step"), std::string::npos);
  }
}

}  // namespace
}  // namespace dtbench
