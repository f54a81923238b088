// The table of model families: each builds a static forward graph with loss. One file per family, one row.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "engine/plan/graph.h"

namespace dtbench {

using ModelOptions = std::map<std::string, std::int64_t>;

struct ModelFamily {
  std::string_view name;
  std::string_view summary;
  ModelOptions (*defaults)();  ///< every option the family knows, with its default
  ModelOptions (*limits)();    ///< the largest value of each option
  std::int64_t default_batch_per_replica;
  std::string_view sample_unit;  ///< "images", "sequences"
  /// Graph for `batch` samples on one replica. Options were checked: only known ones, all >= 1.
  Graph (*build)(const ModelOptions& options, std::int64_t batch);
};

std::span<const ModelFamily> model_families();
const ModelFamily& model_family(std::string_view name);
/// Checks the options (unknown name, zero, negative, too large) and builds.
Graph build_model(std::string_view name, const ModelOptions& options, std::int64_t batch);

}  // namespace dtbench
