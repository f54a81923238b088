// Where the batches of an "input" op come from: the caller's InputFill, or examples generated from a seed.
//
// Generated: a pool of labelled examples is drawn once (class prototypes plus noise, so that a network can learn them);
// example `i` of step `s` is the pool's row hash(seed, s, i), with i counted over the *global* batch. So N replicas see
// the same batch as one, and a step's input costs what real input costs: a copy.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/plan/step_plan.h"
#include "engine/runtime/engine_session.h"

namespace dtbench {

class ExamplePool {
 public:
  /// `features` numbers an example, labels 0 .. classes - 1. About 16 MiB at most, 16 to 1024 examples.
  ExamplePool(std::uint64_t seed, std::int64_t features, int classes);
  /// Example number `example` (global) of step `step`.
  void copy_example(std::int64_t step, std::int64_t example, std::span<float> features, std::int32_t& label) const;
  int examples() const { return static_cast<int>(labels_.size()); }

 private:
  std::uint64_t seed_;
  std::int64_t features_;
  std::vector<float> values_;
  std::vector<std::int32_t> labels_;
};

/// Generated input for a plan: examples as above, or tokens (token_source.h). Empty when the plan has no input op.
InputFill generated_input(const StepPlan& plan, std::uint64_t seed);

/// nullptr when the class has none.
const PlanOp* find_input_op(const RankClass& rank_class);
/// Bad-input error when the op writes anything but input and label tensors of float32, float64 or int32.
void check_inputs(const RankClass& rank_class, const PlanOp& op);

}  // namespace dtbench
