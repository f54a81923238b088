#include "engine/train/data/dataset.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "topologies/base/error.h"

namespace dtbench {
namespace {

TEST(Dataset, FillsStandardisedValues) {
  Dataset dataset{2, 2, {0, 255, 51, 102}, {3, 7}, 0.5, 0.25};
  std::vector<float> features(2);
  std::int32_t label = -1;
  dataset.fill(1, features, label);
  EXPECT_EQ(label, 7);
  EXPECT_NEAR(features[0], (0.2 - 0.5) / 0.25, 1e-6);
  EXPECT_NEAR(features[1], (0.4 - 0.5) / 0.25, 1e-6);
}

TEST(FashionMnist, NamesThePackageWhenTheFilesAreMissing) {
  try {
    load_fashion_mnist("/nonexistent");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("dataset-fashion-mnist"), std::string::npos);
  }
}

TEST(FashionMnist, IsStandardisedOverTheTrainingSet) {
  if (!std::filesystem::exists(kFashionMnistFolder)) GTEST_SKIP() << "package dataset-fashion-mnist is not installed";
  const SplitDataset data = load_fashion_mnist(kFashionMnistFolder);
  EXPECT_EQ(data.train.examples, 60000);
  EXPECT_EQ(data.test.examples, 10000);
  EXPECT_EQ(data.train.features, 784);
  // Known moments of the data set: mean 0.2860, deviation 0.3530 of pixels scaled to 0..1.
  EXPECT_NEAR(data.train.mean, 0.2860, 5e-4);
  EXPECT_NEAR(data.train.deviation, 0.3530, 5e-4);
}

}  // namespace
}  // namespace dtbench
