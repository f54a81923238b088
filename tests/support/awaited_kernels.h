// Kinds of the plan whose kernels are still being written: they can be planned and priced, and running one is refused
// by name. The tests that hold kernel tables against the plan leave these out; the list must become empty.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "engine/plan/op_rule.h"

namespace dtbench::testing {

inline constexpr std::array<std::string_view, 14> kAwaitedKernels = {
    "attention",   "attention_grad",   "dropout", "dropout_grad", "embedding",  "embedding_grad",
    "gather_rows", "gather_rows_grad", "gelu",    "gelu_grad",    "layer_norm", "layer_norm_grad",
    "tanh",        "tanh_grad"};

inline std::vector<std::string_view> kinds_with_kernels() {
  std::vector<std::string_view> kinds;
  for (const OpRule& rule : op_rules())
    if (std::ranges::find(kAwaitedKernels, rule.kind) == kAwaitedKernels.end()) kinds.push_back(rule.kind);
  return kinds;
}

}  // namespace dtbench::testing
