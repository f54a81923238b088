// Rows of a table by number, and the sum of their gradients: a dense gradient in which the rows that nobody asked for
// are 0. `rows` tells the gradient how many rows the table has.
#include "engine/plan/autodiff.h"
#include "engine/plan/op_inputs.h"
#include "engine/plan/ops/row_lookup.h"
#include "engine/plan/ops/rules.h"

namespace dtbench {

namespace {

std::vector<Tensor> infer(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, 2, "table[V,H], int32 ids[...]");
  in.require_rank(0, 2);
  in.require(in[0].dtype != DType::int32 && in[1].dtype == DType::int32);
  Shape shape = in.shape(1);
  shape.push_back(in.dim(0, 1));
  return {op_output("output", shape, in[0])};
}

std::vector<Tensor> infer_grad(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, 2, "int32 ids[...], dy[..., H]");
  in.require(in[0].dtype == DType::int32 && in[1].dtype != DType::int32 && !in.shape(1).empty());
  in.require(in.shape(0) == Shape(in.shape(1).begin(), in.shape(1).end() - 1));
  const double rows = in.attribute("rows");
  in.require(rows >= 1);
  return {op_output("table_gradient", {static_cast<std::int64_t>(rows), in.shape(1).back()}, in[1])};
}

void differentiate(GradientBuilder& builder, const GraphOp& op) {
  const TensorId table = op.inputs[0], ids = op.inputs[1];
  if (!builder.wanted(table)) return;
  const Attributes rows = {{"rows", static_cast<double>(builder.tensor(table).shape[0])}};
  builder.add_gradient(
      table, builder.add_op(op, "embedding_grad", "grad_table", {ids, builder.gradient(op.outputs[0])}, rows));
}

constexpr OpRule kRules[] = {
    {"embedding", infer, cost_of_lookup, differentiate},
    {"embedding_grad", infer_grad, cost_of_lookup_grad, nullptr},
};

}  // namespace

std::span<const OpRule> embedding_rules() { return kRules; }

}  // namespace dtbench
