#include "bench/cpu_measurement.h"

#include <memory>

#include "engine/cpu/cpu_backend.h"
#include "engine/runtime/step_engine.h"

namespace dtbench {

CpuMeasurement measure_on_cpu(const std::vector<CpuTrial>& trials, const EngineOptions& options,
                              const TimeBudget& budget, Progress& progress) {
  const auto backend = make_cpu_backend();
  std::vector<std::unique_ptr<StepEngine>> engines;
  std::vector<Trial> loaded;
  for (const CpuTrial& trial : trials) {
    engines.push_back(std::make_unique<StepEngine>(*backend, options));
    loaded.push_back({trial.name, trial.plan, engines.back().get(), trial.expected_step_seconds});
  }
  progress.phase("measuring on this host");
  const DisturbanceWatch watch;
  CpuMeasurement measurement{measure_interleaved(loaded, StoppingRule{}, budget, progress), {}};
  measurement.disturbance = watch.report();
  return measurement;
}

}  // namespace dtbench
