// Multi-head scaled dot-product self-attention (Vaswani et al. 2017) between the projection to queries, keys and values
// and the output projection: softmax(q kT / sqrt(head size)) v for each head. The probabilities are kept for the
// backward pass. With `rate` and `salt` they go through dropout (dropout.cpp) before they meet v; what is kept is what
// stood before it.
#include "engine/plan/autodiff.h"
#include "engine/plan/op_inputs.h"
#include "engine/plan/ops/rules.h"

namespace dtbench {

namespace {

std::int64_t heads_of(const OpInputs& in, std::int64_t hidden) {
  const double heads = in.attribute("heads"), causal = in.attribute("causal");
  in.require(heads >= 1 && heads == static_cast<double>(static_cast<std::int64_t>(heads)));
  in.require(hidden % static_cast<std::int64_t>(heads) == 0 && (causal == 0 || causal == 1));
  return static_cast<std::int64_t>(heads);
}

// Both or neither: a rate of 0 is not planned.
void require_dropout(const OpInputs& in, const GraphOp& op) {
  if (!op.attributes.contains("rate") && !op.attributes.contains("salt")) return;
  const double rate = in.attribute("rate");
  in.require(rate > 0 && rate < 1 && in.attribute("salt") >= 0);
}

void require_projections(const OpInputs& in, std::size_t i) {
  in.require_rank(i, 3);
  in.require(in.dim(i, 2) % 3 == 0 && in[i].dtype != DType::int32);
}

std::vector<Tensor> infer(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, 1, "qkv[B,S,3H], heads that divide H, causal 0 or 1");
  require_projections(in, 0);
  require_dropout(in, op);
  const std::int64_t batch = in.dim(0, 0), sequence = in.dim(0, 1), hidden = in.dim(0, 2) / 3;
  return {op_output("output", {batch, sequence, hidden}, in[0]),
          op_output("probabilities", {batch, heads_of(in, hidden), sequence, sequence}, in[0])};
}

std::vector<Tensor> infer_grad(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, 3, "dout[B,S,H], qkv[B,S,3H], probabilities[B,heads,S,S]");
  require_projections(in, 1);
  require_dropout(in, op);
  const std::int64_t batch = in.dim(1, 0), sequence = in.dim(1, 1), hidden = in.dim(1, 2) / 3;
  in.require(in.shape(0) == Shape{batch, sequence, hidden});
  in.require(in.shape(2) == Shape{batch, heads_of(in, hidden), sequence, sequence});
  in.require(in[0].dtype == in[1].dtype && in[2].dtype == in[1].dtype);
  return {op_output("qkv_gradient", in.shape(1), in[1])};
}

// Two products of 2 B S S H each; softmax is not counted, and causal attention counts the same, as is the custom in
// published throughputs.
double products(const Tensor& rows, double count) {
  return count * 2 * static_cast<double>(rows.elements()) * static_cast<double>(rows.shape[1]);
}

OpCost cost(const std::vector<Tensor>& in, const std::vector<Tensor>& out, const Attributes&) {
  return {products(out[0], 2), bytes_moved(in, out)};
}

OpCost cost_of_grad(const std::vector<Tensor>& in, const std::vector<Tensor>& out, const Attributes&) {
  return {products(in[0], 4), bytes_moved(in, out)};
}

void differentiate(GradientBuilder& builder, const GraphOp& op) {
  const TensorId qkv = op.inputs[0], dout = builder.gradient(op.outputs[0]);
  if (builder.wanted(qkv))
    builder.add_gradient(qkv, builder.add_op(op, "attention_grad", "gradient", {dout, qkv, op.outputs[1]}));
}

constexpr OpRule kRules[] = {
    {"attention", infer, cost, differentiate},
    {"attention_grad", infer_grad, cost_of_grad, nullptr},
};

}  // namespace

std::span<const OpRule> attention_rules() { return kRules; }

}  // namespace dtbench
