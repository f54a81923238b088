#include "engine/plan/reshape_views.h"

#include <algorithm>

namespace dtbench {

namespace {

Tensor& tensor_of(Graph& graph, TensorId id) { return graph.tensors[static_cast<std::size_t>(id)]; }

// A gradient of a parameter is a view of its bucket, too.
bool becomes_a_bucket(const Tensor& tensor) {
  return tensor.role == TensorRole::parameter || tensor.role == TensorRole::gradient;
}

bool made_a_view(Graph& graph, const GraphOp& op) {
  if (op.kind != "reshape") return false;
  const Tensor& from = tensor_of(graph, op.inputs.front());
  Tensor& to = tensor_of(graph, op.outputs.front());
  if (becomes_a_bucket(from) || becomes_a_bucket(to)) return false;
  to.view = from.view ? *from.view : View{op.inputs.front(), 0};
  return true;
}

}  // namespace

void turn_reshapes_into_views(Graph& graph) {
  std::erase_if(graph.ops, [&](const GraphOp& op) { return made_a_view(graph, op); });
}

}  // namespace dtbench
