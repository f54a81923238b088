#include "engine/plan/models/presets.h"

#include <vector>

namespace dtbench {

std::span<const ModelPreset> model_presets() {
  static const std::vector<ModelPreset> kPresets = {};
  return kPresets;
}

}  // namespace dtbench
