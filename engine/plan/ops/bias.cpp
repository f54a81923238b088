// A vector (or a table) added to every example, and the sum over examples that is its gradient: the bias of a layer is
// a vector [C], position embeddings are a table [S,H]. In `bias_grad`, `dims` says how many trailing dimensions.
#include <algorithm>

#include "engine/plan/autodiff.h"
#include "engine/plan/op_inputs.h"
#include "engine/plan/ops/rules.h"

namespace dtbench {

namespace {

bool ends_with(const Shape& shape, const Shape& end) {
  return shape.size() > end.size() && std::equal(end.rbegin(), end.rend(), shape.rbegin());
}

std::vector<Tensor> infer_bias(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, 2, "x[..., trailing], b[trailing]");
  in.require(!in.shape(1).empty() && ends_with(in.shape(0), in.shape(1)) && in[0].dtype == in[1].dtype);
  return {op_output("output", in.shape(0), in[0])};
}

std::vector<Tensor> infer_grad(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, 1, "dy[..., trailing]");
  const auto given = op.attributes.find("dims");
  const double dims = given == op.attributes.end() ? 1 : given->second;
  in.require(dims >= 1 && dims < static_cast<double>(in.shape(0).size()));
  return {op_output("bias_gradient", Shape(in.shape(0).end() - static_cast<std::ptrdiff_t>(dims), in.shape(0).end()),
                    in[0])};
}

OpCost cost(const std::vector<Tensor>& in, const std::vector<Tensor>& out, const Attributes&) {
  return {static_cast<double>(in[0].elements()), bytes_moved(in, out)};
}

void differentiate(GradientBuilder& builder, const GraphOp& op) {
  const TensorId b = op.inputs[1], dy = builder.gradient(op.outputs[0]);
  const std::size_t dims = builder.tensor(b).shape.size();
  const Attributes extra = dims == 1 ? Attributes{} : Attributes{{"dims", static_cast<double>(dims)}};
  if (builder.wanted(b)) builder.add_gradient(b, builder.add_op(op, "bias_grad", "grad_bias", {dy}, extra));
  if (builder.wanted(op.inputs[0])) builder.add_gradient(op.inputs[0], dy);
}

constexpr OpRule kRules[] = {
    {"bias", infer_bias, cost, differentiate},
    {"bias_grad", infer_grad, cost, nullptr},
};

}  // namespace

std::span<const OpRule> bias_rules() { return kRules; }

}  // namespace dtbench
