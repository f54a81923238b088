#include "engine/train/data/dataset.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "engine/train/data/idx_file.h"
#include "topologies/base/error.h"

namespace dtbench {

namespace {

constexpr int kFashionMnistClasses = 10;

std::string existing(const std::string& folder, const std::string& stem) {
  for (const char* ending : {".gz", ""})
    if (std::filesystem::exists(fmt::format("{}/{}{}", folder, stem, ending)))
      return fmt::format("{}/{}{}", folder, stem, ending);
  throw_bad_input({fmt::format("{}/{}[.gz]", folder, stem), "no such file", "the IDX files of Fashion-MNIST",
                   "install the Debian package dataset-fashion-mnist or name the folder with --data"});
}

Dataset load_pair(const std::string& folder, const std::string& prefix) {
  const std::string image_path = existing(folder, prefix + "-images-idx3-ubyte");
  const std::string label_path = existing(folder, prefix + "-labels-idx1-ubyte");
  IdxArray images = read_idx_file(image_path);
  const IdxArray labels = read_idx_file(label_path);
  if (images.shape.size() < 2 || labels.shape.size() != 1 || images.shape[0] != labels.shape[0])
    throw_bad_input({label_path, fmt::format("{} labels", labels.values.size()),
                     fmt::format("one for each of {} images", images.shape[0]), ""});
  Dataset dataset;
  dataset.examples = images.shape[0];
  dataset.features = static_cast<std::int64_t>(images.values.size()) / dataset.examples;
  dataset.values = std::move(images.values);
  dataset.labels.assign(labels.values.begin(), labels.values.end());
  const auto worst = std::max_element(dataset.labels.begin(), dataset.labels.end());
  if (*worst >= kFashionMnistClasses)
    throw_bad_input(
        {label_path, fmt::format("label {}", *worst), fmt::format("labels 0 to {}", kFashionMnistClasses - 1), ""});
  return dataset;
}

void standardise_like(const Dataset& train, Dataset& other) {
  other.mean = train.mean;
  other.deviation = train.deviation;
}

void measure_moments(Dataset& dataset) {
  double sum = 0, squares = 0;
  for (const std::uint8_t v : dataset.values) sum += v, squares += static_cast<double>(v) * v;
  const double n = static_cast<double>(dataset.values.size());
  dataset.mean = sum / n / 255;
  dataset.deviation = std::sqrt(std::max(squares / n / (255.0 * 255.0) - dataset.mean * dataset.mean, 1e-12));
}

}  // namespace

void Dataset::fill(std::int64_t index, std::span<float> features_out, std::int32_t& label_out) const {
  const std::uint8_t* from = values.data() + index * features;
  const float scale = static_cast<float>(1 / (255 * deviation)), shift = static_cast<float>(-mean / deviation);
  for (std::size_t i = 0; i < features_out.size(); ++i) features_out[i] = static_cast<float>(from[i]) * scale + shift;
  label_out = labels[static_cast<std::size_t>(index)];
}

SplitDataset load_fashion_mnist(const std::string& folder) {
  SplitDataset split{"fashion-mnist", kFashionMnistClasses, load_pair(folder, "train"), load_pair(folder, "t10k")};
  if (split.train.features != split.test.features)
    throw_bad_input({folder, fmt::format("test images of {} pixels", split.test.features),
                     fmt::format("{} as in training", split.train.features), ""});
  measure_moments(split.train);
  standardise_like(split.train, split.test);
  return split;
}

}  // namespace dtbench
