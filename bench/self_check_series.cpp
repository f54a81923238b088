#include "bench/self_check_series.h"

#include <limits>

#include "bench/measure.h"
#include "bench/study.h"
#include "bench/work_size.h"
#include "engine/cpu/cpu_backend.h"
#include "engine/plan/plan_step.h"
#include "engine/runtime/step_engine.h"

namespace dtbench {

namespace {

// Large enough that a step is training, not bookkeeping; some 1 to 3 ms.
StepPlan workload(const Backend& backend) {
  return plan_of({"mlp", {{"hidden", 512}, {"layers", 2}}, 64, 1, "float32"}, {}, backend.traits());
}

}  // namespace

SelfCheckSeries measure_self_check(const HostFacts& facts, std::uint64_t seed, const TimeBudget& budget,
                                   Progress& progress) {
  const auto backend = make_cpu_backend();
  const StepPlan plan = workload(*backend);
  EngineOptions options;
  options.threads_per_replica = facts.cores;
  options.seed = seed;
  StepEngine engine(*backend, options);
  progress.phase("measuring one workload over and over");
  const DisturbanceWatch watch;
  constexpr int kNever = std::numeric_limits<int>::max();
  const StoppingRule until_the_end{kNever, kNever, 0};
  const auto results = measure_interleaved({{"mlp", &plan, &engine, 0}}, until_the_end, budget, progress);
  progress.finish();
  return {results.front().step_seconds(), watch.report()};
}

}  // namespace dtbench
