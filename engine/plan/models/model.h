// The table of model families: each builds a static forward graph with loss. One file per family, one row. A preset
// (presets.h) is a family with some options set; both are names that --model takes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/plan/graph.h"

namespace dtbench {

using ModelOptions = std::map<std::string, std::int64_t>;

struct ModelOption {
  std::string_view name;
  std::int64_t fallback, least, most;  ///< a fallback of 0 where 0 is allowed may mean "derived": ModelFamily::complete
  std::string_view help;
};

struct ModelFamily {
  std::string_view name;
  std::string_view summary;
  std::span<const ModelOption> options;  ///< every option the family knows
  std::int64_t default_batch_per_replica;
  std::string_view sample_unit;  ///< "images", "sequences"
  /// Sets the options that follow from others when they are 0, and checks those that hang together (heads divide
  /// hidden). nullptr: nothing of the kind. `model` is what the user called it.
  void (*complete)(ModelOptions& options, std::string_view model);
  /// Graph for `batch` samples on one replica. Options are complete and within their ranges.
  Graph (*build)(const ModelOptions& options, std::int64_t batch);
};

std::span<const ModelFamily> model_families();
/// Families first, then presets: everything that --model takes.
std::vector<std::string> model_names();
/// The family of a family's or a preset's name.
const ModelFamily& model_family(std::string_view name);
/// Summary, batch and options of a family or preset.
std::string_view model_summary(std::string_view name);
std::int64_t default_batch_per_replica(std::string_view model);
/// Every option of the model with its value: the family's, the preset's, the given ones, those that follow from others.
/// Bad-input errors name unknown options and values out of range.
ModelOptions complete_options(std::string_view model, const ModelOptions& given = {});
/// Of sequence models: the tokens of a sample, padding included.
std::optional<std::int64_t> tokens_per_sample(std::string_view model, const ModelOptions& given);

/// Checks the options (unknown name, too small, too large) and builds.
Graph build_model(std::string_view name, const ModelOptions& options, std::int64_t batch);

}  // namespace dtbench
