#include "engine/runtime/input_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "engine/runtime/counter_random.h"
#include "topologies/base/error.h"

namespace dtbench {
namespace {

constexpr std::int64_t kPoolValues = std::int64_t{1} << 22;
constexpr std::int64_t kFewestExamples = 16, kMostExamples = 1024;
constexpr std::uint64_t kPrototypes = 1, kNoise = 2, kLabels = 3, kChoice = 4;

const PlanOp* find_input_op(const RankClass& rank_class) {
  for (const PlanOp& op : rank_class.ops)
    if (op.kind == "input") return &op;
  return nullptr;
}

// The width of what is compared with the labels: the last dimension of the first matrix that an op reads beside them.
int class_count(const RankClass& rank_class, TensorId labels) {
  for (const PlanOp& op : rank_class.ops) {
    if (std::find(op.inputs.begin(), op.inputs.end(), labels) == op.inputs.end()) continue;
    for (const TensorId input : op.inputs) {
      const Tensor& tensor = rank_class.tensors[static_cast<std::size_t>(input)];
      if (input != labels && tensor.shape.size() >= 2) return static_cast<int>(tensor.shape.back());
    }
  }
  return 1;
}

}  // namespace

ExamplePool::ExamplePool(std::uint64_t seed, std::int64_t features, int classes) : seed_(seed), features_(features) {
  const std::int64_t fitting = kPoolValues / std::max<std::int64_t>(features, 1);
  const std::int64_t examples = std::clamp(fitting, kFewestExamples, kMostExamples);
  values_.resize(static_cast<std::size_t>(examples * features));
  labels_.resize(static_cast<std::size_t>(examples));
  for (std::int64_t e = 0; e < examples; ++e) {
    const auto label = mix(mix(seed, kLabels), static_cast<std::uint64_t>(e)) % static_cast<std::uint64_t>(classes);
    labels_[static_cast<std::size_t>(e)] = static_cast<std::int32_t>(label);
    for (std::int64_t f = 0; f < features; ++f) {
      const auto at = static_cast<std::uint64_t>(e * features + f);
      const auto at_prototype = label * static_cast<std::uint64_t>(features) + static_cast<std::uint64_t>(f);
      const double value = normal(mix(seed, kPrototypes), at_prototype) + normal(mix(seed, kNoise), at);
      values_[at] = static_cast<float>(value);
    }
  }
}

void ExamplePool::copy_example(std::int64_t step, std::int64_t example, std::span<float> features,
                               std::int32_t& label) const {
  const std::uint64_t key = mix(mix(seed_, kChoice), static_cast<std::uint64_t>(step));
  const std::size_t row = mix(key, static_cast<std::uint64_t>(example)) % labels_.size();
  const auto first = values_.begin() + static_cast<std::ptrdiff_t>(row) * features_;
  std::copy(first, first + features_, features.begin());
  label = labels_[row];
}

InputTensors input_tensors(const RankClass& rank_class, const PlanOp& op) {
  InputTensors found;
  for (const TensorId output : op.outputs) {
    const Tensor& tensor = rank_class.tensors[static_cast<std::size_t>(output)];
    const bool real = tensor.dtype == DType::float32 || tensor.dtype == DType::float64;
    if (tensor.role == TensorRole::input && real && found.features == kNoTensor)
      found.features = output;
    else if (tensor.role == TensorRole::label && tensor.dtype == DType::int32 && found.labels == kNoTensor)
      found.labels = output;
    else
      throw_bad_input({fmt::format("op '{}'", op.name), fmt::format("output '{}'", tensor.name),
                       "one float input and one int32 label tensor", ""});
  }
  return found;
}

InputFill generated_input(const StepPlan& plan, std::uint64_t seed) {
  const RankClass& rank_class = plan.classes.front();
  const PlanOp* op = find_input_op(rank_class);
  if (!op) return {};
  const InputTensors tensors = input_tensors(rank_class, *op);
  if (tensors.features == kNoTensor || plan.batch_per_replica < 1) return {};
  const Tensor& features = rank_class.tensors[static_cast<std::size_t>(tensors.features)];
  const std::int64_t batch = plan.batch_per_replica;
  const std::int64_t width = features.elements() / batch;
  const int classes = tensors.labels == kNoTensor ? 1 : class_count(rank_class, tensors.labels);
  const auto pool = std::make_shared<const ExamplePool>(seed, width, classes);
  return [pool, batch, width](int replica, std::int64_t step, std::span<float> values, std::span<std::int32_t> labels) {
    std::int32_t unused = 0;
    for (std::int64_t e = 0; e < batch; ++e) {
      std::int32_t& label = labels.empty() ? unused : labels[static_cast<std::size_t>(e)];
      const auto row = values.subspan(static_cast<std::size_t>(e * width), static_cast<std::size_t>(width));
      pool->copy_example(step, replica * batch + e, row, label);
    }
  };
}

}  // namespace dtbench
