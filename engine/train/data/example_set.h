// What the trainer asks of a data set, whatever is in it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "engine/plan/step_plan.h"
#include "engine/runtime/input_field.h"

namespace dtbench {

class ExampleSet {
 public:
  virtual ~ExampleSet() = default;
  virtual std::int64_t examples() const = 0;
  /// Writes example `index` into place `place` of a batch of `batch` examples.
  virtual void fill(std::int64_t index, std::int64_t place, std::int64_t batch,
                    std::span<const InputField> fields) const = 0;
  /// Bad-input error when the inputs of the plan are of another kind or size.
  virtual void require_fit(const StepPlan& plan) const = 0;
};

struct TrainingData {
  std::string name;
  std::shared_ptr<const ExampleSet> train, test;
};

}  // namespace dtbench
