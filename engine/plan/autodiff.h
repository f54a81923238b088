// Reverse-mode differentiation of a static graph.
#pragma once

#include <string>
#include <vector>

#include "engine/plan/graph.h"

namespace dtbench {

/// Appends backward operations for every parameter that the loss depends on. No gradient is computed for inputs and
/// labels. Gradients that meet are added by `add` ops. A parameter without influence on the loss is an error that names
/// it.
void add_backward(Graph& graph);

/// What a gradient rule (OpRule::differentiate) works with.
class GradientBuilder {
 public:
  explicit GradientBuilder(Graph& graph);

  /// Whether anybody asks for the gradient of this tensor: a parameter stands somewhere behind it.
  bool wanted(TensorId tensor) const { return wanted_[static_cast<std::size_t>(tensor)]; }
  /// Gradient of an output of the op being differentiated; kNoTensor when the loss does not depend on it.
  TensorId gradient(TensorId tensor) const { return graph_.gradient_of[static_cast<std::size_t>(tensor)]; }
  /// Appends a backward op "<layer of op>/<what>" with the attributes of `op` and `extra` ones (shapes that its inputs
  /// no longer tell) and returns its first output.
  TensorId add_op(const GraphOp& op, std::string kind, const std::string& what, std::vector<TensorId> inputs,
                  Attributes extra = {});
  /// The same, returning all outputs.
  std::vector<TensorId> add_op_all(const GraphOp& op, std::string kind, const std::string& what,
                                   std::vector<TensorId> inputs, Attributes extra = {});
  const Tensor& tensor(TensorId id) const { return graph_.tensors[static_cast<std::size_t>(id)]; }
  /// Says that `gradient` is (a part of) the gradient of `tensor`; parts are summed.
  void add_gradient(TensorId tensor, TensorId gradient);
  /// Whether the loss is this tensor, or a sum that this tensor is a term of: its gradient is 1, and no tensor holds it.
  bool is_loss(TensorId tensor) const { return is_loss_[static_cast<std::size_t>(tensor)]; }
  void add_loss(TensorId term) { is_loss_[static_cast<std::size_t>(term)] = true; }

 private:
  Graph& graph_;
  std::vector<bool> wanted_, is_loss_;
};

}  // namespace dtbench
