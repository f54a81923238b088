#include "engine/plan/gradient_compression.h"

#include <fmt/core.h>

#include <algorithm>

#include "engine/plan/op_rule.h"
#include "engine/plan/precision.h"
#include "topologies/base/error.h"
#include "topologies/base/suggest.h"

namespace dtbench {

namespace {

const Tensor& tensor(const RankClass& cls, TensorId id) { return cls.tensors[static_cast<std::size_t>(id)]; }

bool reduces_gradients(const RankClass& cls, const PlanOp& op) {
  if (!op.collective || op.collective->kind != CollectiveKind::all_reduce) return false;
  const Tensor& buffer = tensor(cls, op.collective->buffer);
  return buffer.role == TensorRole::gradient && buffer.dtype == DType::float32;
}

std::string layer_of(const std::string& name) { return name.substr(0, name.rfind('/')); }

TensorId add_compressed(RankClass& cls, TensorId bucket, DType type) {
  Tensor compressed = tensor(cls, bucket);
  compressed.name = fmt::format("{}/{}", layer_of(compressed.name), name_of(type));
  compressed.dtype = type;
  cls.tensors.push_back(std::move(compressed));
  return static_cast<TensorId>(cls.tensors.size()) - 1;
}

PlanOp cast_op(const RankClass& cls, const std::string& name, TensorId from, TensorId to) {
  const std::vector<Tensor> in = {tensor(cls, from)}, out = {tensor(cls, to)};
  PlanOp op;
  op.name = fmt::format("{}/{}", layer_of(tensor(cls, from).name), name);
  op.kind = "cast";
  op.pass = PassKind::backward;
  op.attributes = {{"to", static_cast<double>(out.front().dtype)}};
  op.inputs = {from};
  op.outputs = {to};
  op.bytes = op_rule(op.kind).cost(in, out, op.attributes).bytes;
  op.arithmetic = arithmetic_of(op.kind, std::vector<Tensor>{in.front(), out.front()}, precision_policy("float32"));
  return op;
}

}  // namespace

std::optional<DType> compressed_type(std::string_view name) {
  for (const DType type : {DType::bfloat16, DType::float16})
    if (name == name_of(type)) return type;
  if (name == "none") return std::nullopt;
  const std::vector<std::string> names = {"none", "bfloat16", "float16"};
  throw_bad_input({"--gradient-compression", fmt::format("'{}'", name), one_of(names), did_you_mean(name, names)});
}

void compress_gradients(RankClass& cls, DType type) {
  std::vector<PlanOp> ops, back;
  for (PlanOp& op : cls.ops) {
    if (op.pass == PassKind::update && !back.empty()) {
      ops.insert(ops.end(), std::make_move_iterator(back.begin()), std::make_move_iterator(back.end()));
      back.clear();
    }
    if (reduces_gradients(cls, op)) {
      const TensorId bucket = op.collective->buffer, compressed = add_compressed(cls, bucket, type);
      ops.push_back(cast_op(cls, "compress", bucket, compressed));
      back.push_back(cast_op(cls, "decompress", compressed, bucket));
      op.collective->buffer = compressed;
      op.collective->bytes = tensor(cls, compressed).bytes();
      op.bytes = static_cast<double>(op.collective->bytes);
      op.inputs = op.outputs = {compressed};
    }
    ops.push_back(std::move(op));
  }
  DTBENCH_CHECK(back.empty());  // there are updates
  cls.ops = std::move(ops);
}

}  // namespace dtbench
