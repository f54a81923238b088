#include "bench/host_sizes.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

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
          {{"hidden", 1, ""}}};
}

std::int64_t scaled(std::int64_t value, std::int64_t times, std::int64_t by, std::int64_t multiple = 1) {
  return std::max(multiple, value * times / by / multiple * multiple);
}

SizeShape neighbour(const HostSizes& sizes, SizeShape shape, std::int64_t width_quarters, std::int64_t batch_quarters) {
  constexpr std::int64_t kShallow = 2;
  for (const HostSizes::Width& width : sizes.widths) {
    const std::int64_t multiple =
        width.multiple * (width.multiple_of_option.empty() ? 1 : shape.options.at(std::string(width.multiple_of_option)));
    std::int64_t& option = shape.options.at(std::string(width.option));
    option = scaled(option, width_quarters, 4, multiple);
  }
  if (const auto layers = shape.options.find("layers"); layers != shape.options.end())
    layers->second = std::min(layers->second, kShallow);
  shape.batch = scaled(shape.batch, batch_quarters, 4);
  return shape;
}

}  // namespace

std::span<const HostSizes> host_sizes() {
  static const std::array<HostSizes, 1> kRows = {{mlp_sizes()}};
  return kRows;
}

const HostSizes* find_host_sizes(std::string_view model) {
  for (const HostSizes& row : host_sizes())
    if (row.family == model) return &row;
  return nullptr;
}

const HostSizes& host_sizes_of(std::string_view model) {
  if (const HostSizes* row = find_host_sizes(model)) return *row;
  std::vector<std::string> names;
  for (const HostSizes& row : host_sizes()) names.emplace_back(row.family);
  throw_bad_input({"--model", fmt::format("no sizes of '{}' to measure this host with", model), one_of(names),
                   did_you_mean(model, names)});
}

std::vector<SizeShape> neighbours(const HostSizes& sizes, const SizeShape& shape) {
  SizeShape complete = shape;
  for (const auto& [name, value] : model_family(sizes.family).defaults()) complete.options.try_emplace(name, value);
  return {neighbour(sizes, complete, 3, 5), neighbour(sizes, complete, 5, 3)};
}

}  // namespace dtbench
