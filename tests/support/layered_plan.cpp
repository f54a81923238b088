#include "tests/support/layered_plan.h"

#include <fmt/format.h>

namespace dtbench {
namespace {

constexpr std::int64_t kAlignment = 64;

std::int64_t aligned(std::int64_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

class Builder {
 public:
  explicit Builder(const LayeredPlanShape& shape) : shape_(shape) {
    plan_.model = plan_.strategy = "by hand";
    plan_.ranks = plan_.replicas = shape.ranks;
    plan_.batch_per_replica = shape.batch;
    plan_.global_batch = shape.batch * shape.ranks;
    plan_.groups.push_back({"data", {0, shape.ranks, 1}, 1, 0, {1, shape.ranks}});
    class_.name = "replica";
    class_.ranks = {{0, shape.ranks, 1}};
  }

  StepPlan build() {
    for (int layer = 0; layer < shape_.layers; ++layer)
      add_tensor({fmt::format("gradient{}", layer), {shape_.elements}, DType::float32, TensorRole::gradient}, 1);
    if (shape_.batch > 0) add_input();
    const int first = static_cast<int>(class_.ops.size());
    for (int layer = 0; layer < shape_.layers; ++layer) add_compute("make", layer, {});
    if (shape_.batch > 0) class_.ops[static_cast<std::size_t>(first)].after.push_back({0});
    for (int layer = 0; layer < shape_.layers; ++layer) add_reduce(layer, first + layer);
    for (int layer = 0; layer < shape_.layers; ++layer) add_compute("use", layer, {{first + shape_.layers + layer}});
    if (shape_.batch > 0) read_input(first);
    class_.memory.use.activations = class_.memory.use.total = class_.memory.arena_bytes;
    plan_.classes.push_back(class_);
    return plan_;
  }

 private:
  TensorId add_tensor(Tensor tensor, int buffers) {
    const auto id = static_cast<TensorId>(class_.tensors.size());
    const std::int64_t bytes = aligned(tensor.bytes());
    class_.memory.allocations.push_back({id, class_.memory.arena_bytes, bytes, buffers});
    class_.memory.arena_bytes += bytes * buffers;
    class_.tensors.push_back(std::move(tensor));
    return id;
  }

  void add_input() {
    PlanOp op;
    op.name = op.kind = "input";
    op.type = OpType::host_transfer;
    op.pass = PassKind::input;
    op.stream = shape_.input_stream;
    op.outputs = {add_tensor({"features", {shape_.batch, shape_.features}, DType::float32, TensorRole::input},
                             shape_.input_buffers),
                  add_tensor({"labels", {shape_.batch}, DType::int32, TensorRole::label}, shape_.input_buffers)};
    class_.ops.push_back(op);
  }

  // The first make reads the batch; its buffer is free again when that make is done, `input_buffers` steps later.
  void read_input(int reader) {
    PlanOp& make = class_.ops[static_cast<std::size_t>(reader)];
    make.inputs = class_.ops[0].outputs;
    if (shape_.input_stream != Stream::compute) class_.ops[0].after.push_back({reader, shape_.input_buffers});
  }

  void add_compute(const std::string& name, int layer, std::vector<Dependency> after) {
    PlanOp op;
    op.name = fmt::format("{}{}", name, layer);
    const bool makes = name == "make";
    op.kind = makes ? "bias_grad" : "sgd_momentum";  // any row of the op table
    op.pass = makes ? PassKind::backward : PassKind::update;
    (makes ? op.outputs : op.inputs) = {layer};
    op.after = std::move(after);
    class_.ops.push_back(op);
  }

  void add_reduce(int layer, OpId made) {
    PlanOp op;
    op.name = fmt::format("reduce{}", layer);
    op.type = OpType::collective;
    op.kind = "all_reduce";
    op.pass = PassKind::backward;
    op.stream = Stream::communication;
    op.inputs = op.outputs = {layer};
    op.after = {{made}};
    op.collective = CollectiveCall{CollectiveKind::all_reduce, 0, layer, shape_.elements * 4, "ring"};
    class_.ops.push_back(op);
  }

  LayeredPlanShape shape_;
  StepPlan plan_;
  RankClass class_;
};

}  // namespace

StepPlan layered_plan(const LayeredPlanShape& shape) { return Builder(shape).build(); }

}  // namespace dtbench
