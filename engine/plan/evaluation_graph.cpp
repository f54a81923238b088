#include "engine/plan/evaluation_graph.h"

#include <numeric>

namespace dtbench {

namespace {

// x, statistics, gamma, beta, running_mean, running_variance -> x, gamma, beta, running_mean, running_variance
GraphOp with_running_values(GraphOp op) {
  op.kind = "batch_norm_inference";
  op.inputs.erase(op.inputs.begin() + 1);
  op.outputs.resize(1);
  return op;
}

// What reads the output of a dropped layer reads its input instead.
void pass_through(std::vector<TensorId>& read_instead, const GraphOp& op) {
  read_instead[static_cast<std::size_t>(op.outputs[0])] = read_instead[static_cast<std::size_t>(op.inputs[0])];
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
  std::vector<TensorId> read_instead(graph.tensors.size());
  std::iota(read_instead.begin(), read_instead.end(), 0);
  for (GraphOp op : ops) {
    for (TensorId& input : op.inputs) input = read_instead[static_cast<std::size_t>(input)];
    if (op.kind == "batch_norm_statistics") continue;
    if (op.kind == "dropout") {
      pass_through(read_instead, op);
      continue;
    }
    if (op.kind == "attention")
      for (const auto* name : {"rate", "salt"}) op.attributes.erase(name);
    graph.ops.push_back(op.kind == "batch_norm" ? with_running_values(op) : op);
  }
  drop_unused_activations(graph);
  return graph;
}

}  // namespace dtbench
