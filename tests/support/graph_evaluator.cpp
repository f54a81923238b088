#include "tests/support/graph_evaluator.h"

#include "engine/runtime/visit_dtype.h"
#include "topologies/base/error.h"

namespace dtbench::testing {

namespace {

template <class Function>
auto with_elements(const Buffer& buffer, Function function) {
  const auto count = static_cast<std::size_t>(buffer.elements());
  return visit_dtype<float, double, std::int32_t, Bfloat16, Float16>(
      buffer.dtype, "graph evaluator", [&]<class T>(T) { return function(std::span(static_cast<T*>(buffer.data), count)); });
}

}  // namespace

GraphEvaluator::GraphEvaluator(Graph graph, Device& device, DType real) : graph_(std::move(graph)) {
  device.enter(Stream::compute);
  for (Tensor& tensor : graph_.tensors) {
    DTBENCH_CHECK(!tensor.view);
    if (tensor.dtype == DType::float32) tensor.dtype = real;
    buffers_.push_back({device.allocate(tensor.bytes()), tensor.shape, tensor.dtype});
  }
  for (const GraphOp& op : graph_.ops) prepare(device, op);
}

void GraphEvaluator::prepare(Device& device, const GraphOp& op) {
  PlanOp plan_op;
  plan_op.name = op.name;
  plan_op.kind = op.kind;
  plan_op.attributes = op.attributes;
  KernelRequest request{.op = plan_op, .scalars = &scalars_};
  for (const TensorId id : op.inputs) request.inputs.push_back(buffers_.at(static_cast<std::size_t>(id)));
  for (const TensorId id : op.outputs) request.outputs.push_back(buffers_.at(static_cast<std::size_t>(id)));
  kernels_.push_back(device.prepare(request));
}

void GraphEvaluator::write(TensorId tensor, std::span<const double> values) {
  with_elements(buffers_.at(static_cast<std::size_t>(tensor)), [&]<class T>(std::span<T> elements) {
    DTBENCH_CHECK(elements.size() == values.size());
    for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = static_cast<T>(values[i]);
    return true;
  });
}

std::vector<double> GraphEvaluator::read(TensorId tensor) const {
  return with_elements(buffers_.at(static_cast<std::size_t>(tensor)),
                       [](auto elements) { return std::vector<double>(elements.begin(), elements.end()); });
}

void GraphEvaluator::run(std::int64_t step) {
  for (const auto& kernel : kernels_) kernel->run(step);
}

}  // namespace dtbench::testing
