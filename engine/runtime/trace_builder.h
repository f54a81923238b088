// Collects when each op ran, and makes traces of it.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/plan/step_plan.h"
#include "engine/plan/step_trace.h"
#include "engine/runtime/rank_executor.h"

namespace dtbench {

/// Space for the times of a run, made before it: steps x ops of every rank.
class RunTimes {
 public:
  void add_rank(std::size_t entries) { ranks_.emplace_back(entries); }
  std::span<OpTimes> of_rank(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }

 private:
  std::vector<std::vector<OpTimes>> ranks_;
};

class TraceBuilder {
 public:
  /// `runner` empty: nothing is traced.
  TraceBuilder(const StepPlan& plan, std::vector<int> classes_of_ranks, int steps, std::string runner);
  /// To be written by the executors; owned by whoever holds it.
  std::shared_ptr<RunTimes> times() const { return times_; }

  /// One trace per step. step_seconds: from the end of a rank's last compute-stream op to the next step's, the largest
  /// over ranks; the first step of a run counts from its own start. Spans are relative to the rank's earliest start of
  /// an op of the step.
  std::vector<StepTrace> traces() const;

 private:
  std::span<const OpTimes> step_times(int rank, int step) const;
  double period(int rank, int step) const;
  RankTrace rank_trace(int rank, int step) const;
  const RankClass& class_of(int rank) const;

  const StepPlan& plan_;
  std::vector<int> classes_;
  int steps_;
  std::string runner_;
  std::shared_ptr<RunTimes> times_;
};

}  // namespace dtbench
