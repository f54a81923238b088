// Loss of a classifier, over all rows of the logits. It is scaled by 1 / (global batch x labels of a sample), so that
// losses and gradients of the replicas add up to the mean over the labels of the global batch.
#include "engine/plan/autodiff.h"
#include "engine/plan/op_inputs.h"
#include "engine/plan/ops/rules.h"

namespace dtbench {

namespace {

void require_rows_and_labels(const OpInputs& in) {
  in.require(in.shape(0).size() >= 2);
  in.require(in.shape(1) == Shape(in.shape(0).begin(), in.shape(0).end() - 1));
  in.require(in[1].dtype == DType::int32 && in[0].dtype != DType::int32);
  in.attribute("scale");
}

std::vector<Tensor> infer_loss(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, 2, "logits[..., C], int32 labels[...]");
  require_rows_and_labels(in);
  Tensor loss = op_output("value", {1}, in[0]);
  loss.role = TensorRole::loss;
  return {loss, op_output("probabilities", in.shape(0), in[0])};
}

std::vector<Tensor> infer_grad(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, op.inputs.size() == 3 ? 3 : 2,
                    "probabilities[..., C], int32 labels[...][, loss scale[1]]");
  require_rows_and_labels(in);
  if (op.inputs.size() == 3) in.require(in.shape(2) == Shape{1} && in[2].dtype == in[0].dtype);
  return {op_output("logits_gradient", in.shape(0), in[0])};
}

OpCost cost(const std::vector<Tensor>& in, const std::vector<Tensor>& out, const Attributes&) {
  return {5 * static_cast<double>(in[0].elements()), bytes_moved(in, out)};
}

OpCost cost_of_grad(const std::vector<Tensor>& in, const std::vector<Tensor>& out, const Attributes&) {
  return {2 * static_cast<double>(in[0].elements()), bytes_moved(in, out)};
}

// A term of the loss: its own gradient is 1.
void differentiate(GradientBuilder& builder, const GraphOp& op) {
  const TensorId logits = op.inputs[0], labels = op.inputs[1], probabilities = op.outputs[1];
  if (!builder.wanted(logits)) return;
  builder.add_gradient(logits, builder.add_op(op, "softmax_cross_entropy_grad", "gradient", {probabilities, labels}));
}

constexpr OpRule kRules[] = {
    {"softmax_cross_entropy", infer_loss, cost, differentiate},
    {"softmax_cross_entropy_grad", infer_grad, cost_of_grad, nullptr},
};

}  // namespace

std::span<const OpRule> softmax_cross_entropy_rules() { return kRules; }

}  // namespace dtbench
