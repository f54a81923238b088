#include "engine/plan/graph.h"

#include "engine/plan/op_rule.h"
#include "topologies/base/error.h"

namespace dtbench {

namespace {

TensorId input_in_place(const OpRule& rule, const GraphOp& op, std::size_t output) {
  for (const InPlace& pair : rule.in_place)
    if (pair.output == output) return op.inputs[pair.input];
  return kNoTensor;
}

}  // namespace

std::string_view name_of(PassKind pass) {
  switch (pass) {
    case PassKind::input:
      return "input";
    case PassKind::forward:
      return "forward";
    case PassKind::backward:
      return "backward";
    case PassKind::update:
      return "update";
  }
  DTBENCH_CHECK(false);
  return "";
}

TensorId Graph::add_tensor(Tensor tensor) {
  tensors.push_back(std::move(tensor));
  return static_cast<TensorId>(tensors.size()) - 1;
}

TensorId Graph::add_op(std::string kind, std::string name, std::vector<TensorId> inputs, Attributes attributes) {
  GraphOp op{std::move(name), std::move(kind), PassKind::forward, std::move(attributes), std::move(inputs), {}};
  const std::string layer = op.name.substr(0, op.name.rfind('/'));
  const OpRule& rule = op_rule(op.kind);
  std::vector<Tensor> outputs = rule.infer(*this, op);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (const TensorId input = input_in_place(rule, op, i); input != kNoTensor) {
      op.outputs.push_back(input);
      continue;
    }
    outputs[i].name = layer + "/" + outputs[i].name;
    op.outputs.push_back(add_tensor(std::move(outputs[i])));
  }
  ops.push_back(std::move(op));
  return ops.back().outputs.front();
}

std::int64_t Graph::parameter_count() const {
  std::int64_t count = 0;
  for (const Tensor& tensor : tensors)
    if (tensor.role == TensorRole::parameter) count += tensor.elements();
  return count;
}

}  // namespace dtbench
