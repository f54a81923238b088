// Tensors of a plan that data sets and evaluation ask for by name or by what reads them.
#pragma once

#include <string>
#include <string_view>

#include "engine/plan/step_plan.h"

namespace dtbench {

bool reads_input(const StepPlan& plan, std::string_view name);
/// The input or label tensor of this name; a bad-input error says that the data set does not fit the model.
const Tensor& input_of_plan(const StepPlan& plan, std::string_view name, const std::string& data);

/// Logits and labels of the one softmax_cross_entropy of a plan; a bad-input error when there is none or several.
struct LossInputs {
  TensorId logits = kNoTensor, labels = kNoTensor;
};
LossInputs loss_inputs(const StepPlan& plan);
const Tensor& logits_of_plan(const StepPlan& plan);

}  // namespace dtbench
