#include "engine/train/data/labelled_examples.h"

#include <fmt/core.h>

#include <algorithm>

#include "engine/plan/models/input_names.h"
#include "engine/train/data/plan_inputs.h"
#include "topologies/base/error.h"

namespace dtbench {

namespace {

class LabelledExamples : public ExampleSet {
 public:
  LabelledExamples(std::string name, int classes, Dataset dataset)
      : name_(std::move(name)), classes_(classes), dataset_(std::move(dataset)) {}

  std::int64_t examples() const override { return dataset_.examples; }

  void fill(std::int64_t index, std::int64_t place, std::int64_t batch,
            std::span<const InputField> fields) const override {
    dataset_.fill(index, part_of_example(reals_of(fields, kFeatures), place, batch),
                  part_of_example(integers_of(fields, kLabels), place, batch).front());
  }

  void require_fit(const StepPlan& plan) const override {
    const Tensor& features = input_of_plan(plan, kFeatures, name_);
    const std::int64_t width = features.elements() / plan.batch_per_replica;
    if (width != dataset_.features)
      throw_bad_input({"--model", fmt::format("{} inputs per example ({})", width, text_of(features.shape)),
                       fmt::format("{} as in {}", dataset_.features, name_), ""});
    const std::int64_t classes = logits_of_plan(plan).shape.back();
    if (classes < classes_)
      throw_bad_input(
          {"--classes", fmt::format("{}", classes), fmt::format("at least the {} of {}", classes_, name_), ""});
  }

 private:
  std::string name_;
  int classes_;
  Dataset dataset_;
};

}  // namespace

TrainingData labelled_data(SplitDataset split) {
  return {split.name, std::make_shared<LabelledExamples>(split.name, split.classes, std::move(split.train)),
          std::make_shared<LabelledExamples>(split.name, split.classes, std::move(split.test))};
}

}  // namespace dtbench
