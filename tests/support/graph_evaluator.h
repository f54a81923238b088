// Runs the operations of a graph one after the other on one device, each tensor in memory of its own: kernels and
// gradient rules are tested without plan, streams or memory layout.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/plan/graph.h"
#include "engine/runtime/device.h"

namespace dtbench::testing {

class GraphEvaluator {
 public:
  /// float32 tensors are stored as `real`, others as the graph says. The calling thread enters the device.
  GraphEvaluator(Graph graph, Device& device, DType real = DType::float32);
  const Graph& graph() const { return graph_; }
  void write(TensorId tensor, std::span<const double> values);
  std::vector<double> read(TensorId tensor) const;
  void set_learning_rate(double learning_rate) { scalars_.learning_rate = learning_rate; }
  void run(std::int64_t step = 0);

 private:
  void prepare(Device& device, const GraphOp& op);
  Graph graph_;
  StepScalars scalars_;
  std::vector<Buffer> buffers_;
  std::vector<std::unique_ptr<Kernel>> kernels_;
};

}  // namespace dtbench::testing
