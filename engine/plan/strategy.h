// How a training step is spread over devices: an ordered list of passes over the plan. One file per strategy, one row.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/plan/step_plan.h"

namespace dtbench {

/// What a back end tells the planner. Plans for a machine that is not here use the traits of its device kind.
struct BackendTraits {
  std::string name = "cpu";
  bool prefetches_input = false;       ///< a copy engine brings the next batch while the step runs
  bool overlaps_communication = true;  ///< collectives run beside compute
  ExecutedBy collectives = ExecutedBy::schedule;
  std::int64_t alignment_bytes = 64;
  std::int64_t workspace_bytes = 0;  ///< scratch of its kernels, per rank
  bool operator==(const BackendTraits&) const = default;
};

struct StrategyOptions {
  int replicas = 1;
  GroupShape shape;  ///< how the replicas lie on nodes
  std::int64_t bucket_bytes = 25'000'000;
  std::string collective = "auto";
  BackendTraits traits;
};

struct Strategy {
  std::string_view name;
  std::string_view summary;
  int (*max_replicas)();  ///< 1 for "single", INT_MAX for "mirrored"
  /// Turns the class that computes forward and backward (gradients already in buckets) into the distributed one.
  void (*apply)(StepPlan& plan, const StrategyOptions& options);
};

std::span<const Strategy> strategies();
const Strategy& strategy(std::string_view name);

}  // namespace dtbench
