#include "engine/plan/evaluation_graph.h"

namespace dtbench {

namespace {

// x, statistics, gamma, beta, running_mean, running_variance -> x, gamma, beta, running_mean, running_variance
GraphOp with_running_values(GraphOp op) {
  op.kind = "batch_norm_inference";
  op.inputs.erase(op.inputs.begin() + 1);
  op.outputs.resize(1);
  return op;
}

std::vector<bool> used_tensors(const Graph& graph) {
  std::vector<bool> used(graph.tensors.size());
  for (const GraphOp& op : graph.ops)
    for (const auto* ids : {&op.inputs, &op.outputs})
      for (const TensorId id : *ids) used[static_cast<std::size_t>(id)] = true;
  return used;
}

// Temporaries that no operation touches would take memory.
void drop_unused_activations(Graph& graph) {
  const std::vector<bool> used = used_tensors(graph);
  std::vector<TensorId> renamed(graph.tensors.size(), kNoTensor);
  std::vector<Tensor> kept;
  for (std::size_t t = 0; t < graph.tensors.size(); ++t) {
    if (!used[t] && graph.tensors[t].role == TensorRole::activation) continue;
    renamed[t] = static_cast<TensorId>(kept.size());
    kept.push_back(graph.tensors[t]);
  }
  graph.tensors = std::move(kept);
  for (GraphOp& op : graph.ops)
    for (auto* ids : {&op.inputs, &op.outputs})
      for (TensorId& id : *ids) id = renamed[static_cast<std::size_t>(id)];
  if (graph.loss != kNoTensor) graph.loss = renamed[static_cast<std::size_t>(graph.loss)];
}

}  // namespace

Graph to_evaluation(Graph graph) {
  const std::vector<GraphOp> ops = std::move(graph.ops);
  graph.ops.clear();
  for (const GraphOp& op : ops) {
    if (op.kind == "batch_norm_statistics") continue;
    graph.ops.push_back(op.kind == "batch_norm" ? with_running_values(op) : op);
  }
  drop_unused_activations(graph);
  return graph;
}

}  // namespace dtbench
