// Every model family at a size that tests can run, plan and differentiate in a moment.
#pragma once

#include <gtest/gtest.h>

#include <string_view>

#include "engine/plan/models/model.h"

namespace dtbench {

inline ModelOptions small_options(std::string_view family) {
  if (family == "mlp") return {{"hidden", 24}, {"layers", 3}, {"inputs", 20}, {"classes", 10}};
  if (family == "resnet") return {{"depth", 8}, {"width", 2}, {"image-size", 8}, {"channels", 1}, {"classes", 3}};
  if (family == "vgg")
    return {{"depth", 11}, {"width", 1}, {"hidden", 4}, {"image-size", 32}, {"channels", 1}, {"classes", 3}};
  if (family == "alexnet") return {{"width", 1}, {"hidden", 4}, {"image-size", 63}, {"channels", 1}, {"classes", 3}};
  if (family == "bert")
    return {{"hidden", 4}, {"layers", 1}, {"heads", 2}, {"seq-len", 4}, {"vocab", 7}, {"positions", 6}};
  if (family == "gpt")
    return {{"hidden", 4}, {"layers", 1}, {"heads", 2}, {"seq-len", 4}, {"vocab", 7}, {"positions", 4}};
  ADD_FAILURE() << "give small options for model " << family;
  return {};
}

}  // namespace dtbench
