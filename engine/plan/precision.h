// Precision policies: in which type a step stores its activations and multiplies. A policy is a pass over the forward
// graph that inserts `cast` operations; the backward pass follows from their gradients.
//
// What the mixed policies do is what Keras' mixed precision and PyTorch's autocast do (Micikevicius et al., "Mixed
// Precision Training", ICLR 2018): parameters, their gradients and optimizer state stay float32; each parameter is cast once
// a step where it is used in 16 bits; matrix and element-wise operations store 16 bits (and sum in float32);
// normalisation parameters and statistics, embedding tables, softmax cross-entropy and losses stay float32.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "engine/plan/graph.h"
#include "topologies/arithmetic.h"

namespace dtbench {

struct PrecisionPolicy {
  std::string_view name, summary;
  DType storage = DType::float32;  ///< of activations and of the copies of parameters that operations read
  Arithmetic matrix = Arithmetic::float32;  ///< of matrix products
  bool loss_scaling = false;                ///< gradients would vanish in this type without
};

std::span<const PrecisionPolicy> precision_policies();
/// Bad-input error with the nearest spelling.
const PrecisionPolicy& precision_policy(std::string_view name);

/// Which inputs of an op kind may be stored in 16 bits; the others stay what they are. Its outputs follow from its shape
/// rule.
enum class LowInputs { none, first, all };
struct OpPrecision {
  std::string_view kind;
  LowInputs low = LowInputs::none;
  bool matrix = false;  ///< multiplies matrices: tf32 applies
};
/// One row for each kind of forward operation; a test holds it against op_rules().
std::span<const OpPrecision> op_precisions();

/// The same network with the casts of the policy: one for each tensor and type, shared by all who read it. Before
/// add_backward.
Graph apply_precision(const Graph& graph, const PrecisionPolicy& policy);

/// What an operation on these tensors computes in: the narrowest type among them, which also names casts; for matrix
/// products (backward ones too) in float32, what the policy says.
Arithmetic arithmetic_of(std::string_view kind, std::span<const Tensor> tensors, const PrecisionPolicy& policy);

}  // namespace dtbench
