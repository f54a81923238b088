// The static graph of a network: operations on tensors with known shapes. Forward only, until `add_backward`
// (autodiff.h).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/plan/tensor.h"

namespace dtbench {

/// Named numbers of an operation (axis, epsilon, scale, ...).
using Attributes = std::map<std::string, double>;

enum class PassKind { input, forward, backward, update };
std::string_view name_of(PassKind pass);

struct GraphOp {
  std::string name;  ///< unique: "dense1/forward"
  std::string kind;  ///< row of the op table (op_rule.h): "dense", "dense_grad_weight", ...
  PassKind pass = PassKind::forward;
  Attributes attributes;
  std::vector<TensorId> inputs, outputs;
  bool operator==(const GraphOp&) const = default;
};

/// Operations [first, last] run `times` times: the layers of a transformer, the steps of an LSTM.
struct Repeat {
  int first = 0, last = 0;
  std::int64_t times = 1;
  bool operator==(const Repeat&) const = default;
};

struct Graph {
  std::string model;
  std::vector<Tensor> tensors;
  std::vector<GraphOp> ops;  ///< in execution order
  std::vector<Repeat> repeats;
  TensorId loss = kNoTensor;
  /// After add_backward: gradient_of[t] is the gradient of tensor t, or kNoTensor.
  std::vector<TensorId> gradient_of;
  bool operator==(const Graph&) const = default;

  TensorId add_tensor(Tensor tensor);
  /// Infers the output tensors by the op's shape rule and appends the op; returns its first output. The name of an op
  /// is
  /// "<layer>/<what>"; its outputs are called "<layer>/<output>".
  TensorId add_op(std::string kind, std::string name, std::vector<TensorId> inputs, Attributes attributes = {});
  std::int64_t parameter_count() const;
};

}  // namespace dtbench
