#include "engine/runtime/token_source.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "engine/plan/plan_step.h"
#include "topologies/base/error.h"

namespace dtbench {
namespace {

constexpr std::int64_t kGlobalBatch = 12, kLength = 40, kVocabulary = 50;

using TokenBatch = std::map<std::string, std::vector<std::int32_t>>;

StepPlan plan_of(const std::string& model, int replicas) {
  StepRequest request;
  request.model = model;
  request.model_options = {{"hidden", 8}, {"layers", 1}, {"heads", 2}, {"seq-len", kLength}, {"vocab", kVocabulary}};
  request.batch_per_replica = kGlobalBatch / replicas;
  request.replicas = replicas;
  request.shape = {1, replicas};
  return plan_step(request);
}

// The whole batch of a step, put together from the parts of the replicas.
TokenBatch global_batch(const std::string& model, int replicas, std::int64_t step, std::uint64_t seed) {
  const StepPlan plan = plan_of(model, replicas);
  const InputFill fill = generated_tokens(plan, seed);
  TokenBatch all;
  for (int replica = 0; replica < replicas; ++replica) {
    TokenBatch part;
    std::vector<InputField> fields;
    for (const Tensor& tensor : plan.classes[0].tensors) {
      if (tensor.role != TensorRole::input && tensor.role != TensorRole::label) continue;
      std::vector<std::int32_t>& values = part[tensor.name];
      values.assign(static_cast<std::size_t>(tensor.elements()), -1);
      fields.push_back({tensor.name, {}, values});
    }
    fill(replica, step, fields);
    for (const auto& [name, values] : part) all[name].insert(all[name].end(), values.begin(), values.end());
  }
  return all;
}

TEST(GeneratedTokens, AreTheSameGlobalBatchWhateverTheNumberOfReplicas) {
  for (const char* model : {"bert", "gpt"})
    for (const std::int64_t step : {0, 1, 1000}) {
      EXPECT_EQ(global_batch(model, 1, step, 5), global_batch(model, 3, step, 5)) << model;
      EXPECT_EQ(global_batch(model, 1, step, 5), global_batch(model, 4, step, 5)) << model;
    }
}

TEST(GeneratedTokens, ChangeWithStepAndSeed) {
  EXPECT_NE(global_batch("gpt", 1, 0, 5), global_batch("gpt", 1, 1, 5));
  EXPECT_NE(global_batch("gpt", 1, 0, 5), global_batch("gpt", 1, 0, 6));
}

TEST(GeneratedTokens, OfGptAreFollowedByTheNextTokens) {
  const TokenBatch batch = global_batch("gpt", 1, 3, 5);
  for (std::size_t i = 0; i + 1 < batch.at("tokens").size(); ++i) {
    ASSERT_GE(batch.at("next_tokens")[i], 0);
    ASSERT_LT(batch.at("next_tokens")[i], kVocabulary);
    if ((i + 1) % kLength == 0) continue;
    ASSERT_EQ(batch.at("next_tokens")[i], batch.at("tokens")[i + 1]);
  }
}

// Three in four tokens are the fixed successor of the one before: what a network can learn.
TEST(GeneratedTokens, HaveAMostFrequentSuccessor) {
  std::map<std::int32_t, std::map<std::int32_t, int>> counts;
  for (std::int64_t step = 0; step < 50; ++step) {
    const TokenBatch batch = global_batch("gpt", 1, step, 5);
    for (std::size_t i = 0; i < batch.at("tokens").size(); ++i)
      ++counts[batch.at("tokens")[i]][batch.at("next_tokens")[i]];
  }
  int pairs = 0, most_frequent = 0;
  for (const auto& [token, after] : counts) {
    int most = 0;
    for (const auto& [next, count] : after) {
      pairs += count;
      most = std::max(most, count);
    }
    most_frequent += most;
  }
  EXPECT_NEAR(static_cast<double>(most_frequent) / pairs, 0.78, 0.06);
}

TEST(GeneratedTokens, OfBertAreMaskedAtDistinctPositions) {
  const TokenBatch batch = global_batch("bert", 1, 7, 5);
  const std::size_t predictions = batch.at("masked_positions").size() / kGlobalBatch;
  EXPECT_EQ(predictions, 6u);  // 15 % of 40
  int masked = 0;
  for (std::size_t e = 0; e < kGlobalBatch; ++e) {
    std::set<std::int32_t> positions;
    for (std::size_t p = 0; p < predictions; ++p) {
      const std::int32_t at = batch.at("masked_positions")[e * predictions + p];
      ASSERT_GE(at, 0);
      ASSERT_LT(at, kLength);
      positions.insert(at);
      masked += batch.at("tokens")[e * kLength + static_cast<std::size_t>(at)] == kVocabulary - 1;
      ASSERT_LT(batch.at("masked_tokens")[e * predictions + p], kVocabulary - 1) << "the mask is no answer";
    }
    EXPECT_EQ(positions.size(), predictions);
  }
  EXPECT_NEAR(masked / 72.0, 0.8, 0.15);
  EXPECT_EQ(std::set<std::int32_t>(batch.at("is_next").begin(), batch.at("is_next").end()).size(), 2u);
  EXPECT_EQ(batch.at("segments")[kLength / 2 - 1], 0);
  EXPECT_EQ(batch.at("segments")[kLength / 2], 1);
  EXPECT_EQ(batch.at("class_position"), std::vector<std::int32_t>(kGlobalBatch, 0));
}

TEST(GeneratedTokens, RefuseAnInputThatTheyDoNotKnow) {
  StepPlan plan = plan_of("gpt", 1);
  for (Tensor& tensor : plan.classes[0].tensors)
    if (tensor.name == "next_tokens") tensor.name = "chords";
  EXPECT_THROW(generated_tokens(plan, 1), Error);
}

}  // namespace
}  // namespace dtbench
