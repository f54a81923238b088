#include "engine/plan/precision.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <string>

#include "topologies/base/error.h"
#include "topologies/base/suggest.h"

namespace dtbench {

namespace {

constexpr PrecisionPolicy kPolicies[] = {
    {"float32", "everything in float32"},
    {"tf32", "stored in float32, matrix products in tf32 (10 bits of fraction)", DType::float32, Arithmetic::tf32},
    {"mixed_bfloat16", "activations and products in bfloat16, parameters and updates in float32", DType::bfloat16,
     Arithmetic::bfloat16},
    {"mixed_float16", "activations and products in float16 with a dynamic loss scale, parameters and updates in float32",
     DType::float16, Arithmetic::float16, true},
};

constexpr OpPrecision kOps[] = {
    // clang-format off: one row a line
    {"add", LowInputs::all},
    {"attention", LowInputs::all, true},
    {"average_pool2d", LowInputs::all},
    {"batch_norm", LowInputs::first},             // not statistics, parameters, running values
    {"batch_norm_inference", LowInputs::first},
    {"batch_norm_statistics", LowInputs::first},
    {"bias", LowInputs::all},
    {"cast", LowInputs::none},
    {"conv2d", LowInputs::all, true},
    {"dense", LowInputs::all, true},
    {"dropout", LowInputs::all},
    {"embedding", LowInputs::none},               // a cast would copy the whole table for the rows of one batch
    {"gather_rows", LowInputs::first},
    {"gelu", LowInputs::all},
    {"global_average_pool", LowInputs::all},
    {"layer_norm", LowInputs::first},             // not parameters
    {"max_pool2d", LowInputs::all},
    {"relu", LowInputs::all},
    {"reshape", LowInputs::all},
    {"slice_rows", LowInputs::none},              // of a table: the rows are cast
    {"softmax_cross_entropy", LowInputs::none},
    {"tanh", LowInputs::all},
    // clang-format on
};

const OpPrecision& op_precision(std::string_view kind) {
  const auto* found = std::ranges::find(kOps, kind, &OpPrecision::kind);
  DTBENCH_CHECK(found != std::end(kOps));
  return *found;
}

// The graph rebuilt op by op, with casts where an op reads another type than it shall.
class CastInserter {
 public:
  CastInserter(const Graph& from, DType storage) : from_(from), storage_(storage), renamed_(from.tensors.size(), kNoTensor) {
    to_.model = from.model;
    std::vector<bool> produced(from.tensors.size(), false);
    for (const GraphOp& op : from.ops)
      for (const TensorId output : op.outputs) produced[static_cast<std::size_t>(output)] = true;
    // In-place outputs have a tensor before any op; it is an input of the op that writes it.
    for (const GraphOp& op : from.ops)
      for (const TensorId input : op.inputs)
        if (std::ranges::count(op.outputs, input) > 0) produced[static_cast<std::size_t>(input)] = false;
    for (std::size_t t = 0; t < produced.size(); ++t)
      if (!produced[t]) renamed_[t] = to_.add_tensor(from.tensors[t]);
  }

  Graph run() {
    for (const GraphOp& op : from_.ops) add(op);
    to_.loss = from_.loss == kNoTensor ? kNoTensor : renamed_[static_cast<std::size_t>(from_.loss)];
    return std::move(to_);
  }

 private:
  const Tensor& tensor(TensorId id) const { return to_.tensors[static_cast<std::size_t>(id)]; }

  void add(const GraphOp& op) {
    std::vector<TensorId> inputs;
    for (const TensorId input : op.inputs) inputs.push_back(renamed_[static_cast<std::size_t>(input)]);
    const bool of_losses = std::ranges::any_of(inputs, [&](TensorId t) { return tensor(t).role == TensorRole::loss; });
    const LowInputs low = of_losses ? LowInputs::none : op_precision(op.kind).low;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const bool may_be_low = low == LowInputs::all || (low == LowInputs::first && i == 0);
      inputs[i] = stored_as(inputs[i], may_be_low ? storage_ : DType::float32);
    }
    to_.add_op(op.kind, op.name, std::move(inputs), op.attributes);
    const std::vector<TensorId> outputs = to_.ops.back().outputs;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      renamed_[static_cast<std::size_t>(op.outputs[i])] = outputs[i];
      to_.tensors[static_cast<std::size_t>(outputs[i])].role = from_.tensors[static_cast<std::size_t>(op.outputs[i])].role;
    }
  }

  // Whole numbers and double precision (sums) are not what a policy is about.
  TensorId stored_as(TensorId id, DType wanted) {
    const DType stored = tensor(id).dtype;
    if (stored == wanted || stored == DType::int32 || stored == DType::float64) return id;
    const auto [place, is_new] = casts_.try_emplace({id, wanted}, kNoTensor);
    if (is_new) {
      place->second = to_.add_op("cast", fmt::format("{}/cast_{}", tensor(id).name, name_of(wanted)), {id},
                                 {{"to", static_cast<double>(wanted)}});
      casts_[{place->second, stored}] = id;  // casting back: the original
    }
    return place->second;
  }

  const Graph& from_;
  Graph to_;
  DType storage_;
  std::vector<TensorId> renamed_;  // by tensor of from_
  std::map<std::pair<TensorId, DType>, TensorId> casts_;
};

Arithmetic arithmetic_on(DType dtype) {
  switch (dtype) {
    case DType::float64:
      return Arithmetic::float64;
    case DType::bfloat16:
      return Arithmetic::bfloat16;
    case DType::float16:
      return Arithmetic::float16;
    default:
      return Arithmetic::float32;
  }
}

bool multiplies_matrices(std::string_view kind) {
  return std::ranges::any_of(kOps, [&](const OpPrecision& row) {
    return row.matrix && (kind == row.kind || kind.starts_with(std::string(row.kind) + "_grad"));
  });
}

}  // namespace

std::span<const PrecisionPolicy> precision_policies() { return kPolicies; }

const PrecisionPolicy& precision_policy(std::string_view name) {
  std::vector<std::string> names;
  for (const PrecisionPolicy& policy : kPolicies) {
    if (policy.name == name) return policy;
    names.emplace_back(policy.name);
  }
  throw_bad_input({"--precision", fmt::format("'{}'", name), one_of(names), did_you_mean(name, names)});
}

std::span<const OpPrecision> op_precisions() { return kOps; }

Graph apply_precision(const Graph& graph, const PrecisionPolicy& policy) {
  return policy.storage == DType::float32 ? graph : CastInserter(graph, policy.storage).run();
}

Arithmetic arithmetic_of(std::string_view kind, std::span<const Tensor> tensors, const PrecisionPolicy& policy) {
  DType narrowest = DType::float32;
  for (const Tensor& tensor : tensors)
    if (bytes_of(tensor.dtype) < bytes_of(narrowest)) narrowest = tensor.dtype;
  if (narrowest == DType::float32 && multiplies_matrices(kind)) return policy.matrix;
  return arithmetic_on(narrowest);
}

}  // namespace dtbench
