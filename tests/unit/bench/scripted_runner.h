// A StepRunner with step times from a script, and a log of who ran in which order.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/plan/step_runner.h"

namespace dtbench {

/// A plan of one rank with one compute op, one all-reduce and one input op.
StepPlan one_rank_plan();

/// A trace of `one_rank_plan`: input, then compute, then all-reduce with these durations, one after the other.
StepTrace one_rank_trace(double input, double compute, double communication);

class ScriptedRunner : public StepRunner {
 public:
  /// `step_seconds(k)` is the time of the k-th step ever run by this runner.
  ScriptedRunner(std::string name, std::vector<std::string>& log, std::function<double(int)> step_seconds);
  std::string name() const override { return name_; }
  std::vector<StepTrace> run(const StepPlan& plan, int steps) override;
  int steps_run() const { return steps_run_; }

 private:
  std::string name_;
  std::vector<std::string>& log_;
  std::function<double(int)> step_seconds_;
  int steps_run_ = 0;
};

}  // namespace dtbench
