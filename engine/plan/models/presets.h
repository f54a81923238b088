// Models that have a name of their own: a family with some options set.
#pragma once

#include <span>
#include <string_view>

#include "engine/plan/models/model.h"

namespace dtbench {

struct ModelPreset {
  std::string_view name, family, summary;
  std::int64_t default_batch_per_replica;
  ModelOptions options;
};

std::span<const ModelPreset> model_presets();

}  // namespace dtbench
