// Who makes a plan happen: the engine on real devices, the simulators in virtual time, a fake in tests.
#pragma once

#include <vector>

#include "engine/plan/step_plan.h"
#include "engine/plan/step_trace.h"

namespace dtbench {

class StepRunner {
 public:
  virtual ~StepRunner() = default;
  virtual std::string name() const = 0;
  /// One trace per measured step. Deterministic runners may return one trace whatever `steps` is. Warm-up is the
  /// runner's business and is not returned.
  virtual std::vector<StepTrace> run(const StepPlan& plan, int steps) = 0;
};

}  // namespace dtbench
