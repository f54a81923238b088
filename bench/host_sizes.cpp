#include "bench/host_sizes.h"

#include <fmt/core.h>

#include <algorithm>

#include "topologies/base/error.h"
#include "topologies/base/suggest.h"

namespace dtbench {

namespace {

SizeShape mlp(std::int64_t hidden, std::int64_t layers, std::int64_t batch) {
  return {{{"hidden", hidden}, {"layers", layers}}, batch};
}

/// Dense calls of 0.6 MFLOP to 19 GFLOP, updates of 0.3 to 100 MB. Widths are multiples of 16 (whole vectors), but not
/// of 512: rows that lie a multiple of 4 KiB apart compete for the same places of a cache, so that such widths are no
/// neighbours of the others.
HostSizes mlp_sizes() {
  return {"mlp",
          {mlp(80, 3, 48), mlp(1520, 3, 192), mlp(400, 3, 96), mlp(2992, 3, 48), mlp(208, 3, 384), mlp(752, 3, 96),
           mlp(48, 3, 24), mlp(752, 3, 768), mlp(2992, 3, 384), mlp(1520, 3, 24), mlp(80, 3, 1536), mlp(400, 3, 1536),
           mlp(208, 3, 12), mlp(2288, 3, 1152)},
          {mlp(128, 2, 64), mlp(256, 6, 128), mlp(512, 3, 512), mlp(640, 4, 32), mlp(1024, 2, 256), mlp(1024, 5, 64),
           mlp(2048, 3, 128), mlp(2560, 2, 96)},
          {"hidden"}};
}

SizeShape images(std::int64_t width, std::int64_t pixels, std::int64_t batch) {
  return {{{"width", width}, {"image-size", pixels}}, batch};
}

/// Channels in whole vectors of 16 and in halves, as convolutions lay them out in memory.
HostSizes resnet8_sizes() {
  return {"resnet8",
          {images(16, 28, 48), images(48, 20, 64), images(32, 36, 24), images(16, 20, 256), images(64, 28, 12),
           images(32, 20, 128), images(16, 36, 12), images(40, 28, 96)},
          {images(16, 28, 128), images(24, 24, 96), images(32, 28, 64), images(48, 32, 16), images(64, 20, 48)},
          {"image-size", 4}};
}

SizeShape resnet(std::int64_t depth, std::int64_t width, std::int64_t pixels, std::int64_t batch) {
  SizeShape shape = images(width, pixels, batch);
  shape.options["depth"] = depth;
  return shape;
}

HostSizes resnet_sizes() {
  return {"resnet",
          {resnet(18, 64, 32, 8), resnet(50, 32, 64, 4), resnet(18, 32, 96, 4), resnet(50, 64, 48, 8),
           resnet(18, 48, 64, 16), resnet(50, 16, 96, 8), resnet(18, 64, 112, 4), resnet(50, 48, 80, 2)},
          {resnet(18, 64, 64, 8), resnet(50, 64, 64, 4), resnet(34, 32, 64, 8), resnet(18, 32, 48, 32)},
          {"image-size", 32}};
}

/// Images, then two dense layers; few classes.
SizeShape classifier(std::int64_t width, std::int64_t pixels, std::int64_t hidden, std::int64_t batch) {
  SizeShape shape = images(width, pixels, batch);
  shape.options["hidden"] = hidden;
  shape.options["classes"] = 100;
  return shape;
}

HostSizes vgg_sizes() {
  return {"vgg",
          {classifier(16, 32, 512, 16), classifier(32, 64, 1024, 4), classifier(48, 32, 256, 8),
           classifier(16, 96, 2048, 4), classifier(64, 32, 512, 4), classifier(32, 32, 2048, 32)},
          {classifier(16, 64, 1024, 8), classifier(32, 32, 1024, 16), classifier(64, 64, 512, 2)},
          {"image-size", 32}};
}

HostSizes alexnet_sizes() {
  return {"alexnet",
          {classifier(16, 96, 512, 16), classifier(32, 128, 1024, 4), classifier(48, 64, 256, 16),
           classifier(16, 160, 2048, 8), classifier(64, 96, 512, 4), classifier(32, 64, 2048, 32)},
          {classifier(16, 128, 1024, 8), classifier(32, 96, 1024, 16), classifier(64, 128, 512, 2)},
          {"image-size", 32}};
}

struct Transformer {
  std::int64_t hidden, layers, heads, length, batch;
};

SizeShape transformer(const Transformer& size, std::int64_t vocab) {
  return {{{"hidden", size.hidden},
           {"layers", size.layers},
           {"heads", size.heads},
           {"seq-len", size.length},
           {"vocab", vocab}},
          size.batch};
}

std::vector<SizeShape> transformers(const std::vector<Transformer>& sizes, std::int64_t vocab) {
  std::vector<SizeShape> shapes;
  for (const Transformer& size : sizes) shapes.push_back(transformer(size, vocab));
  return shapes;
}

/// The published table of words: most of a small BERT's parameters.
HostSizes bert_sizes() {
  constexpr std::int64_t kWords = 30522;
  return {"bert",
          transformers({{128, 2, 2, 64, 8},
                        {448, 2, 7, 96, 4},
                        {192, 2, 3, 192, 4},
                        {64, 2, 2, 32, 32},
                        {320, 2, 5, 64, 12},
                        {128, 2, 4, 256, 4},
                        {192, 2, 6, 48, 2},
                        {320, 2, 5, 160, 8}},
                       kWords),
          transformers(
              {{256, 4, 4, 128, 8}, {256, 2, 4, 64, 16}, {96, 3, 3, 128, 8}, {512, 2, 8, 96, 4}, {160, 6, 5, 48, 6}},
              kWords),
          {"hidden", 1, "heads"}};
}

/// Bytes as words.
HostSizes gpt_sizes() {
  constexpr std::int64_t kBytes = 256;
  return {"gpt",
          transformers({{128, 2, 2, 64, 8},
                        {448, 2, 7, 96, 4},
                        {192, 2, 3, 192, 4},
                        {64, 2, 2, 32, 32},
                        {320, 2, 5, 64, 16},
                        {128, 2, 4, 256, 4},
                        {192, 2, 6, 48, 2},
                        {320, 2, 5, 192, 8}},
                       kBytes),
          transformers(
              {{256, 4, 4, 128, 16}, {256, 2, 4, 64, 8}, {96, 3, 3, 128, 8}, {512, 2, 8, 96, 4}, {160, 6, 5, 48, 6}},
              kBytes),
          {"hidden", 1, "heads"}};
}

std::int64_t scaled(std::int64_t value, std::int64_t quarters, std::int64_t multiple = 1) {
  return std::max(multiple, value * quarters / 4 / multiple * multiple);
}

SizeShape neighbour(const HostSizes::Size& size, SizeShape shape, std::int64_t size_quarters,
                    std::int64_t batch_quarters) {
  constexpr std::int64_t kShallow = 2;
  const std::int64_t step = size.step_option.empty() ? size.step : shape.options.at(std::string(size.step_option));
  std::int64_t& option = shape.options.at(std::string(size.option));
  option = scaled(option, size_quarters, step);
  if (const auto layers = shape.options.find("layers"); layers != shape.options.end())
    layers->second = std::min(layers->second, kShallow);
  shape.batch = scaled(shape.batch, batch_quarters);
  return shape;
}

}  // namespace

std::span<const HostSizes> host_sizes() {
  static const std::vector<HostSizes> kRows = {mlp_sizes(),    resnet8_sizes(), bert_sizes(),   gpt_sizes(),
                                               resnet_sizes(), vgg_sizes(),     alexnet_sizes()};
  return kRows;
}

const HostSizes* find_host_sizes(std::string_view model) {
  const auto row_of = [](std::string_view name) -> const HostSizes* {
    for (const HostSizes& row : host_sizes())
      if (row.model == name) return &row;
    return nullptr;
  };
  const HostSizes* own = row_of(model);
  return own != nullptr ? own : row_of(model_family(model).name);
}

const HostSizes& host_sizes_of(std::string_view model) {
  if (const HostSizes* row = find_host_sizes(model)) return *row;
  std::vector<std::string> names;
  for (const HostSizes& row : host_sizes()) names.emplace_back(row.model);
  throw_bad_input({"--model", fmt::format("no sizes of '{}' to measure this host with", model), one_of(names),
                   did_you_mean(model, names)});
}

std::vector<SizeShape> neighbours(std::string_view model, const SizeShape& shape) {
  const HostSizes::Size& size = host_sizes_of(model).size;
  SizeShape complete = shape;
  complete.options = complete_options(model, shape.options);
  for (const ModelOption& option : model_family(model).options)  // what follows from the others follows them here too
    if (option.fallback == 0 && !shape.options.contains(std::string(option.name)))
      complete.options.erase(std::string(option.name));
  return {neighbour(size, complete, 3, 5), neighbour(size, complete, 5, 3)};
}

}  // namespace dtbench
