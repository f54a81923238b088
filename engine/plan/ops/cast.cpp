// The same numbers stored as another type; its gradient is cast back.
#include "engine/plan/autodiff.h"
#include "engine/plan/op_inputs.h"
#include "engine/plan/ops/rules.h"

namespace dtbench {

namespace {

bool is_real(DType dtype) { return dtype != DType::int32; }

std::vector<Tensor> infer(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, 1, "x[any], not int32");
  const auto to = static_cast<DType>(static_cast<int>(in.attribute("to")));
  in.require(is_real(in[0].dtype) && is_real(to) && !name_of(to).empty());
  Tensor output = op_output(std::string(name_of(to)), in.shape(0), in[0]);
  output.dtype = to;
  if (in[0].role == TensorRole::parameter) output.role = TensorRole::weight_copy;
  return {std::move(output)};
}

// Moving numbers is all the work: no FLOPs.
OpCost cost(const std::vector<Tensor>& in, const std::vector<Tensor>& out, const Attributes&) {
  return {0, bytes_moved(in, out)};
}

void differentiate(GradientBuilder& builder, const GraphOp& op) {
  const TensorId x = op.inputs[0];
  if (!builder.wanted(x)) return;
  const auto back = static_cast<double>(builder.tensor(x).dtype);
  const TensorId dy = builder.gradient(op.outputs[0]);
  builder.add_gradient(x, builder.add_op(op, "cast", "cast_gradient", {dy}, {{"to", back}}));
}

constexpr OpRule kRules[] = {{"cast", infer, cost, differentiate}};

}  // namespace

std::span<const OpRule> cast_rules() { return kRules; }

}  // namespace dtbench
