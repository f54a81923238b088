#include "engine/plan/strategies/single.h"

namespace dtbench {

int single_max_replicas() { return 1; }

void apply_single(StepPlan&, const StrategyOptions&) {}

}  // namespace dtbench
