#include "engine/train/evaluation.h"

#include <algorithm>
#include <map>
#include <string>

#include "topologies/base/error.h"

namespace dtbench {

namespace {

// Only what the forward ops read: buckets are another plan's business.
void copy_parameters(const EngineSession& from, EngineSession& to) {
  const RankClass& source = from.plan().classes.front();
  std::map<std::string, TensorId> by_name;
  for (std::size_t t = 0; t < source.tensors.size(); ++t) by_name[source.tensors[t].name] = static_cast<TensorId>(t);
  const RankClass& target = to.plan().classes.front();
  for (const PlanOp& op : target.ops)
    for (const TensorId t : op.inputs) {
      const Tensor& tensor = target.tensors[static_cast<std::size_t>(t)];
      if (tensor.role == TensorRole::parameter) to.write(0, t, from.read(0, by_name.at(tensor.name)));
    }
}

TensorId logits_of(const RankClass& cls) {
  for (const PlanOp& op : cls.ops)
    if (op.kind == "softmax_cross_entropy") return op.inputs.front();
  throw_bad_input({"--model", "a model without softmax_cross_entropy", "a classifier", ""});
}

std::int64_t count_correct(const std::vector<double>& logits, const Dataset& dataset, std::int64_t first,
                           std::int64_t count) {
  const std::int64_t classes = static_cast<std::int64_t>(logits.size()) / std::max<std::int64_t>(count, 1);
  std::int64_t correct = 0;
  for (std::int64_t i = 0; i < count && first + i < dataset.examples; ++i) {
    const auto row = logits.begin() + i * classes;
    correct += std::max_element(row, row + classes) - row == dataset.labels[static_cast<std::size_t>(first + i)];
  }
  return correct;
}

}  // namespace

double test_accuracy(const EngineSession& trained, EngineSession& evaluator, const Dataset& dataset) {
  copy_parameters(trained, evaluator);
  const std::int64_t batch = evaluator.plan().batch_per_replica;
  const TensorId logits = logits_of(evaluator.plan().classes.front());
  std::int64_t first = 0, correct = 0;
  evaluator.set_input([&](int, std::int64_t, std::span<float> features, std::span<std::int32_t> labels) {
    for (std::int64_t i = 0; i < batch; ++i) {
      const std::int64_t example = std::min(first + i, dataset.examples - 1);
      dataset.fill(
          example,
          features.subspan(static_cast<std::size_t>(i * dataset.features), static_cast<std::size_t>(dataset.features)),
          labels[static_cast<std::size_t>(i)]);
    }
  });
  for (; first < dataset.examples; first += batch) {
    evaluator.run(1, false);
    correct += count_correct(evaluator.read(0, logits), dataset, first, batch);
  }
  return static_cast<double>(correct) / static_cast<double>(dataset.examples);
}

}  // namespace dtbench
