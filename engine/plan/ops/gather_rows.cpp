// Chosen positions of each sequence (the masked words of BERT), and their gradients put back in place; positions that
// nobody chose get 0. `sequence` tells the gradient how long the sequences are.
#include "engine/plan/autodiff.h"
#include "engine/plan/op_inputs.h"
#include "engine/plan/ops/row_lookup.h"
#include "engine/plan/ops/rules.h"

namespace dtbench {

namespace {

std::vector<Tensor> infer(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, 2, "x[B,S,H], int32 positions[B,P]");
  in.require_rank(0, 3);
  in.require_rank(1, 2);
  in.require(in.dim(0, 0) == in.dim(1, 0) && in[0].dtype != DType::int32 && in[1].dtype == DType::int32);
  return {op_output("output", {in.dim(1, 0), in.dim(1, 1), in.dim(0, 2)}, in[0])};
}

std::vector<Tensor> infer_grad(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, 2, "int32 positions[B,P], dy[B,P,H]");
  in.require_rank(0, 2);
  in.require_rank(1, 3);
  in.require(in.dim(0, 0) == in.dim(1, 0) && in.dim(0, 1) == in.dim(1, 1));
  in.require(in[0].dtype == DType::int32 && in[1].dtype != DType::int32);
  const double sequence = in.attribute("sequence");
  in.require(sequence >= 1);
  return {op_output("input_gradient", {in.dim(1, 0), static_cast<std::int64_t>(sequence), in.dim(1, 2)}, in[1])};
}

void differentiate(GradientBuilder& builder, const GraphOp& op) {
  const TensorId x = op.inputs[0], positions = op.inputs[1];
  if (!builder.wanted(x)) return;
  const Attributes sequence = {{"sequence", static_cast<double>(builder.tensor(x).shape[1])}};
  builder.add_gradient(
      x, builder.add_op(op, "gather_rows_grad", "grad_rows", {positions, builder.gradient(op.outputs[0])}, sequence));
}

constexpr OpRule kRules[] = {
    {"gather_rows", infer, cost_of_lookup, differentiate},
    {"gather_rows_grad", infer_grad, cost_of_lookup_grad, nullptr},
};

}  // namespace

std::span<const OpRule> gather_rows_rules() { return kRules; }

}  // namespace dtbench
