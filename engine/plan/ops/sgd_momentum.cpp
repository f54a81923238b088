// Stochastic gradient descent with momentum, in place over whole buckets of parameters.
#include "engine/plan/op_inputs.h"
#include "engine/plan/ops/rules.h"

namespace dtbench {

namespace {

std::vector<Tensor> infer(const Graph& graph, const GraphOp& op) {
  const OpInputs in(graph, op, op.inputs.size() == 4 ? 4 : 3,
                    "parameter[n], gradient[n], velocity[n][, loss scale[1]]");
  if (op.inputs.size() == 4) in.require(in.shape(3) == Shape{1} && in[3].dtype == in[0].dtype);
  in.require_rank(0, 1);
  for (std::size_t i = 1; i < 3; ++i) in.require(in.shape(i) == in.shape(0) && in[i].dtype == in[0].dtype);
  in.attribute("learning_rate");
  in.attribute("momentum");
  return {in[0], in[2]};
}

OpCost cost(const std::vector<Tensor>& in, const std::vector<Tensor>& out, const Attributes&) {
  return {4 * static_cast<double>(in[0].elements()), bytes_moved(in, out)};
}

constexpr InPlace kInPlace[] = {{0, 0}, {1, 2}};

constexpr OpRule kRules[] = {{"sgd_momentum", infer, cost, nullptr, kInPlace}};

}  // namespace

std::span<const OpRule> sgd_momentum_rules() { return kRules; }

}  // namespace dtbench
