// Model + strategy + machine -> StepPlan. The one place where a step is decided.
#pragma once

#include "engine/plan/run_spec.h"
#include "engine/plan/step_plan.h"
#include "engine/plan/strategy.h"

namespace dtbench {

/// What `plan_step` needs of a RunSpec at one device count, all resolved.
struct StepRequest {
  std::string model = "mlp";
  std::map<std::string, std::int64_t> model_options;
  std::string strategy = "mirrored";
  std::string precision = "float32";  ///< row of precision_policies()
  std::string optimizer = "momentum";
  double learning_rate = 0.05, momentum = 0.9;
  std::int64_t batch_per_replica = 128;
  int replicas = 1;
  GroupShape shape;  ///< nodes x devices per node that the replicas fill
  std::int64_t bucket_bytes = 25'000'000;
  std::string gradient_compression = "none";  ///< "bfloat16", "float16": type of the buckets on the wire
  std::string collective = "auto";
  bool sync_batch_norm = false;  ///< batch normalisation over the global batch
  BackendTraits traits;
  bool operator==(const StepRequest&) const = default;
};

/// build_model, casts of the precision, add_backward, buckets and optimizer, strategy passes, memory. Deterministic.
/// Errors (exit 2): unknown names, sizes that overflow. The plan of a huge machine costs what its classes cost.
StepPlan plan_step(const StepRequest& request);

/// Only the forward pass: input, forward operations and loss (its scale 1 / batch) on one replica, whatever the request
/// says about replicas; no gradients, no optimizer state. Parameters carry the names that they have in `plan_step`.
StepPlan plan_evaluation(const StepRequest& request);

/// The request of a RunSpec at `devices` devices of a machine with `devices_per_node`; nodes are filled first. Checks
/// batch divisibility with the nearest values that fit.
StepRequest request_at(const RunSpec& spec, int devices, int devices_per_node, const BackendTraits& traits);

/// Text of a plan for people: classes, groups, ops with stream, cost, dependencies, memory. Golden-tested.
std::string plan_listing(const StepPlan& plan);

}  // namespace dtbench
