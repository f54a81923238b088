#include "engine/plan/autodiff.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "engine/plan/op_rule.h"
#include "topologies/base/error.h"

namespace dtbench {

namespace {

std::vector<bool> tensors_behind_parameters(const Graph& graph) {
  std::vector<bool> wanted(graph.tensors.size());
  for (std::size_t t = 0; t < wanted.size(); ++t) wanted[t] = graph.tensors[t].role == TensorRole::parameter;
  for (const GraphOp& op : graph.ops) {
    const bool any = std::any_of(op.inputs.begin(), op.inputs.end(),
                                 [&](TensorId t) { return wanted[static_cast<std::size_t>(t)]; });
    for (const TensorId output : op.outputs) wanted[static_cast<std::size_t>(output)] = any;
  }
  return wanted;
}

// Gradients get their role here; an in-place all-reduce must not change what somebody else reads, so they are not
// shared.
void mark_parameter_gradients(Graph& graph) {
  std::map<TensorId, TensorId> user_of;
  for (std::size_t t = 0; t < graph.gradient_of.size(); ++t) {
    const TensorId gradient = graph.gradient_of[t];
    Tensor& tensor = graph.tensors[t];
    const bool parameter = tensor.role == TensorRole::parameter;
    if (gradient == kNoTensor) {
      if (parameter)
        throw_bad_input({fmt::format("model '{}'", graph.model), fmt::format("parameter '{}'", tensor.name),
                         "a parameter that the loss depends on", ""});
      continue;
    }
    const auto [other, first] = user_of.emplace(gradient, static_cast<TensorId>(t));
    Tensor& gradient_tensor = graph.tensors[static_cast<std::size_t>(gradient)];
    if (!first && (parameter || gradient_tensor.role == TensorRole::gradient))
      throw_bad_input({fmt::format("model '{}'", graph.model),
                       fmt::format("'{}' and '{}' with one gradient", tensor.name,
                                   graph.tensors[static_cast<std::size_t>(other->second)].name),
                       "a gradient of its own for each parameter", ""});
    if (parameter) {
      gradient_tensor.role = TensorRole::gradient;
      gradient_tensor.name = tensor.name + "/gradient";
    }
  }
}

}  // namespace

GradientBuilder::GradientBuilder(Graph& graph) : graph_(graph), wanted_(tensors_behind_parameters(graph)) {
  graph_.gradient_of.assign(graph_.tensors.size(), kNoTensor);
  is_loss_.assign(graph_.tensors.size(), false);
  add_loss(graph_.loss);
}

TensorId GradientBuilder::add_op(const GraphOp& op, std::string kind, const std::string& what,
                                 std::vector<TensorId> inputs, Attributes extra) {
  return add_op_all(op, std::move(kind), what, std::move(inputs), std::move(extra)).front();
}

std::vector<TensorId> GradientBuilder::add_op_all(const GraphOp& op, std::string kind, const std::string& what,
                                                  std::vector<TensorId> inputs, Attributes extra) {
  const std::string layer = op.name.substr(0, op.name.rfind('/'));
  extra.insert(op.attributes.begin(), op.attributes.end());
  graph_.add_op(std::move(kind), layer + "/" + what, std::move(inputs), std::move(extra));
  graph_.ops.back().pass = PassKind::backward;
  graph_.gradient_of.resize(graph_.tensors.size(), kNoTensor);
  return graph_.ops.back().outputs;
}

void GradientBuilder::add_gradient(TensorId tensor, TensorId gradient) {
  DTBENCH_CHECK(wanted(tensor));
  TensorId& known = graph_.gradient_of[static_cast<std::size_t>(tensor)];
  if (known == kNoTensor) {
    known = gradient;
    return;
  }
  const GraphOp sum{
      graph_.tensors[static_cast<std::size_t>(tensor)].name + "/sum", "add", PassKind::backward, {}, {}, {}};
  const std::string what = fmt::format("sum_gradients{}", graph_.ops.size());
  const TensorId total = add_op(sum, "add", what, {known, gradient});
  graph_.gradient_of[static_cast<std::size_t>(tensor)] = total;
}

void add_backward(Graph& graph) {
  DTBENCH_CHECK(graph.loss != kNoTensor && graph.gradient_of.empty());
  GradientBuilder builder(graph);
  for (std::size_t i = graph.ops.size(); i-- > 0;) {
    const GraphOp op = graph.ops[i];  // a copy: rules append to graph.ops
    const bool needed = std::any_of(op.outputs.begin(), op.outputs.end(),
                                    [&](TensorId t) { return builder.is_loss(t) || builder.gradient(t) != kNoTensor; });
    const bool wanted = std::any_of(op.inputs.begin(), op.inputs.end(), [&](TensorId t) { return builder.wanted(t); });
    if (!needed || !wanted) continue;
    const OpRule& rule = op_rule(op.kind);
    if (rule.differentiate == nullptr)
      throw_bad_input({fmt::format("operation '{}'", op.name), fmt::format("kind '{}'", op.kind),
                       "a kind with a gradient rule", ""});
    rule.differentiate(builder, op);
  }
  mark_parameter_gradients(graph);
}

}  // namespace dtbench
