// What the files of this folder give to the table in op_rule.cpp: a kind with its backward kinds each. What the kinds
// compute stands in README.md.
#pragma once

#include <span>

#include "engine/plan/op_rule.h"

namespace dtbench {

std::span<const OpRule> add_rules();
std::span<const OpRule> attention_rules();
std::span<const OpRule> average_pool2d_rules();
std::span<const OpRule> batch_norm_rules();
std::span<const OpRule> bias_rules();
std::span<const OpRule> cast_rules();
std::span<const OpRule> conv2d_rules();
std::span<const OpRule> dense_rules();
std::span<const OpRule> dropout_rules();
std::span<const OpRule> embedding_rules();
std::span<const OpRule> gather_rows_rules();
std::span<const OpRule> gelu_rules();
std::span<const OpRule> layer_norm_rules();
std::span<const OpRule> global_average_pool_rules();
std::span<const OpRule> loss_scale_rules();
std::span<const OpRule> max_pool2d_rules();
std::span<const OpRule> relu_rules();
std::span<const OpRule> reshape_rules();
std::span<const OpRule> sgd_momentum_rules();
std::span<const OpRule> slice_rows_rules();
std::span<const OpRule> softmax_cross_entropy_rules();
std::span<const OpRule> tanh_rules();

}  // namespace dtbench
