// The first rows of a table, such as the learned positions of a sequence shorter than the table; the gradient of the
// other rows is 0.
#include "engine/plan/autodiff.h"
#include "engine/plan/op_inputs.h"
#include "engine/plan/ops/rules.h"

namespace dtbench {

namespace {

std::vector<Tensor> infer(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, 1, "table[R,H], rows <= R");
  in.require_rank(0, 2);
  const auto rows = static_cast<std::int64_t>(in.attribute("rows"));
  in.require(rows >= 1 && rows <= in.dim(0, 0) && in[0].dtype != DType::int32);
  return {op_output("output", {rows, in.dim(0, 1)}, in[0])};
}

std::vector<Tensor> infer_grad(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, 1, "dy[rows,H], table_rows >= rows");
  in.require_rank(0, 2);
  const auto table_rows = static_cast<std::int64_t>(in.attribute("table_rows"));
  in.require(table_rows >= in.dim(0, 0));
  return {op_output("table_gradient", {table_rows, in.dim(0, 1)}, in[0])};
}

// What is copied is read and written; of the gradient, the other rows are written only.
OpCost cost(const std::vector<Tensor>&, const std::vector<Tensor>& out, const Attributes&) {
  return {0, 2 * static_cast<double>(out[0].bytes())};
}

OpCost cost_of_grad(const std::vector<Tensor>& in, const std::vector<Tensor>& out, const Attributes&) {
  return {0, static_cast<double>(in[0].bytes() + out[0].bytes())};
}

void differentiate(GradientBuilder& builder, const GraphOp& op) {
  const TensorId table = op.inputs[0];
  if (!builder.wanted(table)) return;
  const Attributes rows = {{"table_rows", static_cast<double>(builder.tensor(table).shape[0])}};
  builder.add_gradient(table,
                       builder.add_op(op, "slice_rows_grad", "grad_table", {builder.gradient(op.outputs[0])}, rows));
}

constexpr OpRule kRules[] = {
    {"slice_rows", infer, cost, differentiate},
    {"slice_rows_grad", infer_grad, cost_of_grad, nullptr},
};

}  // namespace

std::span<const OpRule> slice_rows_rules() { return kRules; }

}  // namespace dtbench
