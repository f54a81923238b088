// One training step as a host can be asked to run it: which model at which size, and on how many replicas.
#pragma once

#include <cstdint>
#include <string>

#include "engine/plan/models/model.h"
#include "engine/plan/run_spec.h"
#include "engine/plan/step_plan.h"
#include "engine/plan/strategy.h"

namespace dtbench {

struct WorkSize {
  std::string model = "mlp";
  ModelOptions options;    ///< what is not given is the model's own
  std::int64_t batch = 1;  ///< per replica
  int replicas = 1;
  std::string precision = "float32";
};

/// The same step on the same data, whatever the number of replicas.
bool same_work(const WorkSize& a, const WorkSize& b);

/// The request of this size: `base` with its model, precision, batch and device count.
RunSpec spec_of(const WorkSize& size, RunSpec base);

/// Its plan on one node of this many replicas. `base` says how replicas talk: buckets, compression, statistics.
StepPlan plan_of(const WorkSize& size, RunSpec base, const BackendTraits& traits);

/// The size of one point of a request.
WorkSize size_of(const RunSpec& spec, std::int64_t batch_per_replica, int replicas);

/// "mlp hidden=128, layers=2, batch 64, mixed_bfloat16, 2 replicas"
std::string text_of(const WorkSize& size);

}  // namespace dtbench
