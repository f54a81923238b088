// The same elements in another shape. A plan turns it into a view of its input (reshape_views.h), so that it costs
// nothing; where that does not happen it is a copy.
#include <fmt/core.h>

#include "engine/plan/autodiff.h"
#include "engine/plan/ops/rules.h"
#include "engine/plan/ops/window.h"

namespace dtbench {

namespace {

// The batch stays dimension 0; "dim1", "dim2", ... are the others.
Shape shape_of(const OpInputs& in, const GraphOp& op) {
  Shape shape = {in.dim(0, 0)};
  while (op.attributes.contains(fmt::format("dim{}", shape.size())))
    shape.push_back(required_whole(in, fmt::format("dim{}", shape.size()), 1));
  return shape;
}

std::vector<Tensor> infer(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, 1, "x[B,...] with as many elements as [B,'dim1',...]");
  in.require(!in.shape(0).empty());
  Tensor output = op_output("output", shape_of(in, op), in[0]);
  in.require(output.elements() == in[0].elements());
  return {std::move(output)};
}

OpCost cost(const std::vector<Tensor>& in, const std::vector<Tensor>& out, const Attributes&) {
  return {0, bytes_moved(in, out)};
}

void differentiate(GradientBuilder& builder, const GraphOp& op) {
  const TensorId x = op.inputs[0];
  if (!builder.wanted(x)) return;
  GraphOp back = op;  // without the dimensions of the output
  back.attributes.clear();
  const Shape& shape = builder.tensor(x).shape;
  for (std::size_t axis = 1; axis < shape.size(); ++axis)
    back.attributes[fmt::format("dim{}", axis)] = static_cast<double>(shape[axis]);
  builder.add_gradient(x, builder.add_op(back, "reshape", "grad_input", {builder.gradient(op.outputs[0])}));
}

constexpr OpRule kRules[] = {{"reshape", infer, cost, differentiate}};

}  // namespace

std::span<const OpRule> reshape_rules() { return kRules; }

}  // namespace dtbench
