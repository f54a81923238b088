// Kinds of the plan whose kernels are still being written: they can be planned and priced, and running one is refused
// by name. The tests that hold kernel tables against the plan leave these out; the list must become empty.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "engine/plan/op_rule.h"

namespace dtbench::testing {

inline constexpr std::array<std::string_view, 15> kAwaitedKernels = {
    // clang-format off
    "average_pool2d",
    "average_pool2d_grad",
    "batch_norm",
    "batch_norm_grad_input",
    "batch_norm_grad_statistics",
    "batch_norm_inference",
    "batch_norm_statistics",
    "conv2d",
    "conv2d_grad_input",
    "conv2d_grad_weight",
    "global_average_pool",
    "global_average_pool_grad",
    "max_pool2d",
    "max_pool2d_grad",
    "reshape",
    // clang-format on
};

inline std::vector<std::string_view> kinds_with_kernels() {
  std::vector<std::string_view> kinds;
  for (const OpRule& rule : op_rules())
    if (std::ranges::find(kAwaitedKernels, rule.kind) == kAwaitedKernels.end()) kinds.push_back(rule.kind);
  return kinds;
}

}  // namespace dtbench::testing
