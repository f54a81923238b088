// Batch normalisation over the global batch: the sums that each replica forms are added up before they are used
// (engine/plan/ops/README.md, "Batch normalisation").
#pragma once

#include "engine/plan/strategy.h"

namespace dtbench {

/// Adds an all-reduce after each operation that forms such sums, forward and backward. Bad-input error when the plan
/// has no batch normalisation. With one replica there is nothing to add.
void synchronize_batch_norm(StepPlan& plan, const StrategyOptions& options);

}  // namespace dtbench
