#include "engine/plan/op_rule.h"

#include <string>

#include "engine/plan/ops/rules.h"
#include "topologies/base/error.h"
#include "topologies/base/suggest.h"

namespace dtbench {

namespace {

// One row per file of ops/.
constexpr std::span<const OpRule> (*kFamilies[])() = {
    // clang-format off: one row a line
    add_rules,
    attention_rules,
    average_pool2d_rules,
    batch_norm_rules,
    bias_rules,
    cast_rules,
    conv2d_rules,
    dense_rules,
    dropout_rules,
    embedding_rules,
    gather_rows_rules,
    gelu_rules,
    global_average_pool_rules,
    layer_norm_rules,
    loss_scale_rules,
    max_pool2d_rules,
    relu_rules,
    reshape_rules,
    sgd_momentum_rules,
    slice_rows_rules,
    softmax_cross_entropy_rules,
    tanh_rules,
    // clang-format on
};

std::vector<OpRule> all_rules() {
  std::vector<OpRule> rules;
  for (const auto family : kFamilies) rules.insert(rules.end(), family().begin(), family().end());
  return rules;
}

}  // namespace

std::span<const OpRule> op_rules() {
  static const std::vector<OpRule> kRules = all_rules();
  return kRules;
}

const OpRule& op_rule(std::string_view kind) {
  for (const OpRule& rule : op_rules())
    if (rule.kind == kind) return rule;
  std::vector<std::string> kinds;
  for (const OpRule& rule : op_rules()) kinds.emplace_back(rule.kind);
  throw_bad_input({"operation kind", "'" + std::string(kind) + "'", one_of(kinds), did_you_mean(kind, kinds)});
}

}  // namespace dtbench
