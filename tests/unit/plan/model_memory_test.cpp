// What the backward pass keeps, against what others counted for the same networks.
#include <gtest/gtest.h>

#include "engine/plan/plan_step.h"

namespace dtbench {
namespace {

double activation_bytes(const std::string& model, const std::map<std::string, std::int64_t>& options,
                        std::int64_t batch) {
  StepRequest request;
  request.model = model;
  request.model_options = options;
  request.strategy = "single";
  request.batch_per_replica = batch;
  return static_cast<double>(plan_step(request).classes.front().memory.use.activations);
}

// huggingface/pytorch-image-models, results/benchmark-infer-*.csv: the convolutions of ResNet-50 have 11.1 M outputs an
// image. Each is kept twice: as the input of batch norm, and behind relu for the next convolution; blocks of the
// residual stream and the first layers, where both are alive with their gradients, make the rest.
TEST(ModelMemory, OfResNet50IsTwiceTheOutputsOfItsConvolutions) {
  const double outputs = 11.1e6 * sizeof(float) * 32;
  EXPECT_NEAR(activation_bytes("resnet50", {}, 32) / (2 * outputs), 1, 0.1);
}

// Korthikanti et al. 2022 (Reducing Activation Recomputation in Large Transformer Models), section 4.1: a layer keeps
// s b h (34 + 5 a s / h) bytes in 16 bits, of which 2 + a s / h are masks of dropout. Here masks are drawn again rather
// than kept, everything else has 4 bytes, and the probabilities are kept once.
TEST(ModelMemory, OfATransformerLayerIsAsPublished) {
  const double s = 128, b = 32, h = 768, a = 12;
  const double published = s * b * h * (2 * (34 - 2) + 4 * a * s / h);
  const double two = activation_bytes("bert_base", {{"layers", 2}}, 32);
  const double six = activation_bytes("bert_base", {{"layers", 6}}, 32);
  EXPECT_NEAR((six - two) / 4 / published, 1, 0.12);
}

}  // namespace
}  // namespace dtbench
