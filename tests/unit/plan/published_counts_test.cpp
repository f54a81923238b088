// Our counts against those that others published; every row names its source.
#include "engine/plan/models/published_counts.h"

#include <gtest/gtest.h>

#include "engine/plan/models/model.h"

namespace dtbench {
namespace {

// Relative. The profiler behind BERT large leaves out the two products of attention, 2 % of the FLOPs.
constexpr double kRounded = 0.005, kFlops = 0.025;

double ours(const PublishedCount& row) {
  const Graph graph = build_model(row.model, {}, 2);
  if (row.quantity == PublishedCount::Quantity::parameters) return static_cast<double>(graph.parameter_count());
  return matrix_flops_per_sample(graph, 2);
}

TEST(PublishedCounts, AreOurs) {
  for (const PublishedCount& row : published_counts()) {
    SCOPED_TRACE(testing::Message() << row.model << ", " << row.source);
    if (row.exact)
      EXPECT_EQ(ours(row), row.value);
    else
      EXPECT_NEAR(ours(row) / row.value, 1, row.quantity == PublishedCount::Quantity::parameters ? kRounded : kFlops);
  }
}

// huggingface/pytorch-image-models, results/benchmark-infer-amp-nchw-pt113-cu117-rtx3090.csv at aa4b5850c1: parameters
// in millions and multiply-adds in billions, two decimals.
TEST(PublishedCounts, AgreeWithTimm) {
  struct Row {
    const char* model;
    double millions, giga_multiply_adds;
  };
  for (const Row& row : {Row{"resnet18", 11.69, 1.82}, Row{"resnet34", 21.80, 3.67}, Row{"resnet50", 25.56, 4.11},
                         Row{"resnet101", 44.55, 7.83}, Row{"resnet152", 60.19, 11.56}, Row{"vgg16", 138.36, 15.47}}) {
    const Graph graph = build_model(row.model, {}, 1);
    EXPECT_NEAR(static_cast<double>(graph.parameter_count()) / 1e6, row.millions, 0.006) << row.model;
    EXPECT_NEAR(matrix_flops_per_sample(graph, 1) / 2e9, row.giga_multiply_adds, 0.02 * row.giga_multiply_adds)
        << row.model;
  }
}

// google-bert/bert-base-uncased without the heads of pre-training (BertModel with pooler): 109,482,240. The heads add
// the transform of masked tokens, the decoder's bias and the two classes of the next sentence.
TEST(PublishedCounts, OfBertWithoutItsHeads) {
  const std::int64_t hidden = 768, vocabulary = 30522;
  const std::int64_t heads = hidden * hidden + 3 * hidden + vocabulary + 2 * hidden + 2;
  EXPECT_EQ(build_model("bert_base", {}, 1).parameter_count() - heads, 109'482'240);
}

// Narayanan et al. 2021 (Efficient Large-Scale Language Model Training on GPU Clusters), table 1 and the forward part
// of its appendix: 24 s l h^2 (1 + s / 6h) + 2 s h V per sequence of s = 2048, V = 51200.
TEST(PublishedCounts, OfLargeGptModels) {
  struct Row {
    std::int64_t layers, hidden, heads;
    double parameters, flops;
  };
  for (const Row& row :
       {Row{24, 2304, 24, 1.7e9, 7.673e12}, Row{30, 3072, 32, 3.6e9, 1.611e13}, Row{36, 4096, 32, 7.5e9, 3.302e13},
        Row{40, 6144, 48, 18.4e9, 7.963e13}, Row{48, 8192, 64, 39.1e9, 1.666e14}}) {
    const Graph graph = build_model(
        "gpt",
        {{"layers", row.layers}, {"hidden", row.hidden}, {"heads", row.heads}, {"seq-len", 2048}, {"vocab", 51200}}, 1);
    EXPECT_NEAR(static_cast<double>(graph.parameter_count()), row.parameters, 0.06e9) << row.hidden;
    EXPECT_NEAR(matrix_flops_per_sample(graph, 1) / row.flops, 1, 0.001) << row.hidden;
  }
}

// Positions and predictions of a shorter sequence do not change what is trained.
TEST(PublishedCounts, DoNotDependOnTheSequenceLength) {
  EXPECT_EQ(build_model("bert_base", {{"seq-len", 384}}, 1).parameter_count(), 110'106'428);
  EXPECT_EQ(build_model("gpt2_124m", {{"seq-len", 256}}, 1).parameter_count(), 124'439'808);
}

}  // namespace
}  // namespace dtbench
