// Small classes of ranks written by hand, for tests of order and memory.
#pragma once

#include <string>

#include "engine/plan/step_plan.h"

namespace dtbench {

struct HandMadeClass {
  RankClass cls;

  TensorId tensor(std::string name, std::int64_t elements, TensorRole role = TensorRole::activation) {
    cls.tensors.push_back({std::move(name), {elements}, DType::float32, role, {}, {}, {}});
    return static_cast<TensorId>(cls.tensors.size()) - 1;
  }

  OpId op(std::string name, Stream stream, std::vector<TensorId> inputs, std::vector<TensorId> outputs) {
    PlanOp op;
    op.name = std::move(name);
    op.type = OpType::host_transfer;  // of no interest to order and memory
    op.kind = "hand-made";
    op.stream = stream;
    op.inputs = std::move(inputs);
    op.outputs = std::move(outputs);
    cls.ops.push_back(std::move(op));
    return static_cast<OpId>(cls.ops.size()) - 1;
  }
};

}  // namespace dtbench
