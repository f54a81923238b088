// What is known about each kind of operation: shape rule, cost, gradient rule. One file per kind in ops/, one row here.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "engine/plan/graph.h"

namespace dtbench {

class GradientBuilder;  // autodiff.h

struct OpCost {
  double flops = 0;  ///< multiply and add count as two
  double bytes = 0;  ///< memory traffic: inputs read once, outputs written once (read-modify-write counts both)
};

/// An output that is an input, written where it stands.
struct InPlace {
  std::size_t output = 0, input = 0;
};

struct OpRule {
  std::string_view kind;
  /// Shapes and types of the outputs, with short names ("output") that `Graph::add_op` prefixes by the layer's; a
  /// bad-input error names the op when the inputs do not fit.
  std::vector<Tensor> (*infer)(const Graph& graph, const GraphOp& op);
  OpCost (*cost)(const std::vector<Tensor>& inputs, const std::vector<Tensor>& outputs, const Attributes& attributes);
  /// Appends the operations that compute the gradients of `op`'s inputs from those of its outputs, and hands them to
  /// the builder, which sums several uses of a tensor. nullptr: the kind is not differentiable.
  void (*differentiate)(GradientBuilder& builder, const GraphOp& op);
  std::span<const InPlace> in_place = {};
};

/// All rows; backward and update kinds are rows of their own ("dense_grad_input", "sgd_momentum").
std::span<const OpRule> op_rules();
const OpRule& op_rule(std::string_view kind);

}  // namespace dtbench
