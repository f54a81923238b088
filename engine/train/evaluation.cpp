#include "engine/train/evaluation.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "engine/train/data/plan_inputs.h"

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
      if (tensor.role == TensorRole::parameter || tensor.role == TensorRole::state)
        to.write(0, t, from.read(0, by_name.at(tensor.name)));
    }
}

/// Sums over labels, of one batch or of many.
struct Tally {
  std::int64_t labels = 0, correct = 0;
  double loss = 0;

  void add_row(std::span<const double> logits, std::size_t label) {
    const auto largest = std::max_element(logits.begin(), logits.end());
    double sum = 0;
    for (const double logit : logits) sum += std::exp(logit - *largest);
    ++labels;
    correct += static_cast<std::size_t>(largest - logits.begin()) == label;
    loss += std::log(sum) - (logits[label] - *largest);
  }
};

// The rows of the first `examples` examples of the batch that the evaluator just ran.
void add_batch(Tally& tally, const EngineSession& evaluator, std::int64_t examples) {
  const LossInputs inputs = loss_inputs(evaluator.plan());
  const std::vector<double> logits = evaluator.read(0, inputs.logits), labels = evaluator.read(0, inputs.labels);
  const std::size_t classes = logits.size() / labels.size();
  const std::size_t rows = labels.size() / static_cast<std::size_t>(evaluator.plan().batch_per_replica);
  for (std::size_t row = 0; row < static_cast<std::size_t>(examples) * rows; ++row)
    tally.add_row(std::span(logits).subspan(row * classes, classes), static_cast<std::size_t>(labels[row]));
}

}  // namespace

Evaluation evaluate(const EngineSession& trained, EngineSession& evaluator, const ExampleSet& examples) {
  copy_parameters(trained, evaluator);
  const std::int64_t batch = evaluator.plan().batch_per_replica, count = examples.examples();
  std::int64_t first = 0;
  evaluator.set_input([&](int, std::int64_t, std::span<InputField> fields) {
    for (std::int64_t i = 0; i < batch; ++i) examples.fill(std::min(first + i, count - 1), i, batch, fields);
  });
  Tally tally;
  for (; first < count; first += batch) {
    evaluator.run(1, false);
    add_batch(tally, evaluator, std::min(batch, count - first));
  }
  const auto labels = static_cast<double>(tally.labels);
  return {static_cast<double>(tally.correct) / labels, tally.loss / labels};
}

}  // namespace dtbench
