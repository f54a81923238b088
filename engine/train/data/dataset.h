// A labelled data set in memory: bytes as read, turned into floats when a batch is filled.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace dtbench {

struct Dataset {
  std::int64_t examples = 0, features = 0;  ///< features per example
  std::vector<std::uint8_t> values;         ///< [examples, features]
  std::vector<std::int32_t> labels;         ///< [examples]
  double mean = 0, deviation = 1;           ///< of values / 255, over the training set

  /// Writes example `index`, standardised to (value / 255 - mean) / deviation.
  void fill(std::int64_t index, std::span<float> features_out, std::int32_t& label_out) const;
};

struct SplitDataset {
  std::string name;
  int classes = 0;
  Dataset train, test;
};

/// Fashion-MNIST (Xiao et al. 2017, 60,000 + 10,000 images of 28 x 28 in 10 classes) from a folder with its four IDX
/// files. Debian: package dataset-fashion-mnist, folder kFashionMnistFolder.
inline constexpr const char* kFashionMnistFolder = "/usr/share/datasets/fashion-mnist";
SplitDataset load_fashion_mnist(const std::string& folder);

}  // namespace dtbench
