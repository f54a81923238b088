#include "engine/plan/tensor_access.h"

namespace dtbench {

namespace {

TensorAccess access_of(const std::vector<Tensor>& tensors, TensorId id, OpId op, bool write) {
  const Tensor& tensor = tensors[static_cast<std::size_t>(id)];
  const std::int64_t first = tensor.view ? tensor.view->first_element * bytes_of(tensor.dtype) : 0;
  return {op, first, first + tensor.bytes(), write};
}

}  // namespace

TensorId owner_of(const std::vector<Tensor>& tensors, TensorId tensor) {
  const auto& view = tensors[static_cast<std::size_t>(tensor)].view;
  return view ? view->base : tensor;
}

std::vector<std::vector<TensorAccess>> accesses_by_owner(const RankClass& cls) {
  std::vector<std::vector<TensorAccess>> accesses(cls.tensors.size());
  for (std::size_t op = 0; op < cls.ops.size(); ++op) {
    const auto add = [&](const std::vector<TensorId>& ids, bool write) {
      for (const TensorId id : ids)
        accesses[static_cast<std::size_t>(owner_of(cls.tensors, id))].push_back(
            access_of(cls.tensors, id, static_cast<OpId>(op), write));
    };
    add(cls.ops[op].inputs, false);
    if (cls.ops[op].predicate != kNoTensor) add({cls.ops[op].predicate}, false);
    add(cls.ops[op].outputs, true);
  }
  return accesses;
}

bool conflict(const TensorAccess& a, const TensorAccess& b) {
  return (a.write || b.write) && a.first_byte < b.end_byte && b.first_byte < a.end_byte;
}

std::vector<int> buffers_by_owner(const RankClass& cls) {
  std::vector<int> buffers(cls.tensors.size(), 1);
  for (const PlanOp& op : cls.ops)
    if (op.type == OpType::host_transfer && op.stream == Stream::host)
      for (const TensorId output : op.outputs) buffers[static_cast<std::size_t>(owner_of(cls.tensors, output))] = 2;
  return buffers;
}

}  // namespace dtbench
