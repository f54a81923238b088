#include "engine/runtime/input_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "engine/plan/models/input_names.h"
#include "engine/runtime/counter_random.h"
#include "engine/runtime/token_source.h"
#include "topologies/base/error.h"

namespace dtbench {
namespace {

constexpr std::int64_t kPoolValues = std::int64_t{1} << 22;
constexpr std::int64_t kFewestExamples = 16, kMostExamples = 1024;
constexpr std::uint64_t kPrototypes = 1, kNoise = 2, kLabelDraws = 3, kChoice = 4;

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

TensorId output_called(const RankClass& rank_class, const PlanOp& op, std::string_view name) {
  for (const TensorId output : op.outputs)
    if (rank_class.tensors[static_cast<std::size_t>(output)].name == name) return output;
  return kNoTensor;
}

}  // namespace

ExamplePool::ExamplePool(std::uint64_t seed, std::int64_t features, int classes) : seed_(seed), features_(features) {
  const std::int64_t fitting = kPoolValues / std::max<std::int64_t>(features, 1);
  const std::int64_t examples = std::clamp(fitting, kFewestExamples, kMostExamples);
  values_.resize(static_cast<std::size_t>(examples * features));
  labels_.resize(static_cast<std::size_t>(examples));
  for (std::int64_t e = 0; e < examples; ++e) {
    const auto label = mix(mix(seed, kLabelDraws), static_cast<std::uint64_t>(e)) % static_cast<std::uint64_t>(classes);
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

const PlanOp* find_input_op(const RankClass& rank_class) {
  for (const PlanOp& op : rank_class.ops)
    if (op.kind == "input") return &op;
  return nullptr;
}

void check_inputs(const RankClass& rank_class, const PlanOp& op) {
  for (const TensorId output : op.outputs) {
    const Tensor& tensor = rank_class.tensors[static_cast<std::size_t>(output)];
    const bool role = tensor.role == TensorRole::input || tensor.role == TensorRole::label;
    const bool type = tensor.dtype == DType::float32 || tensor.dtype == DType::float64 || tensor.dtype == DType::int32;
    if (!role || !type)
      throw_bad_input({fmt::format("op '{}'", op.name), fmt::format("output '{}'", tensor.name),
                       "inputs and labels of float32, float64 or int32", ""});
  }
}

InputFill generated_input(const StepPlan& plan, std::uint64_t seed) {
  const RankClass& rank_class = plan.classes.front();
  const PlanOp* op = find_input_op(rank_class);
  if (op == nullptr || plan.batch_per_replica < 1) return {};
  if (reads_tokens(plan)) return generated_tokens(plan, seed);
  const TensorId features = output_called(rank_class, *op, kFeatures);
  const TensorId labels = output_called(rank_class, *op, kLabels);
  if (features == kNoTensor) return {};
  const std::int64_t batch = plan.batch_per_replica;
  const std::int64_t width = rank_class.tensors[static_cast<std::size_t>(features)].elements() / batch;
  const int classes = labels == kNoTensor ? 1 : class_count(rank_class, labels);
  const auto pool = std::make_shared<const ExamplePool>(seed, width, classes);
  return [pool, batch](int replica, std::int64_t step, std::span<InputField> fields) {
    const auto features_out = reals_of(fields, kFeatures);
    const auto labels_out = integers_of(fields, kLabels);
    std::int32_t unused = 0;
    for (std::int64_t e = 0; e < batch; ++e) {
      std::int32_t& label = labels_out.empty() ? unused : labels_out[static_cast<std::size_t>(e)];
      pool->copy_example(step, replica * batch + e, part_of_example(features_out, e, batch), label);
    }
  };
}

}  // namespace dtbench
