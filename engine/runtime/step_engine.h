// The engine as a StepRunner: runs a plan on this machine's devices and returns what it measured.
#pragma once

#include <list>
#include <memory>
#include <string>
#include <vector>

#include "engine/plan/step_runner.h"
#include "engine/runtime/backend.h"
#include "engine/runtime/engine_session.h"

namespace dtbench {

/// Sessions stay open between runs of the same plan, so that plans can be measured in turn; the least recently used are
/// closed beyond kMostSessions or kMostArenaBytes. Threads of idle sessions sleep. Not thread-safe.
class StepEngine : public StepRunner {
 public:
  static constexpr std::size_t kMostSessions = 16;
  static constexpr std::int64_t kMostArenaBytes = std::int64_t{4} << 30;

  /// The back end must outlive the engine.
  StepEngine(const Backend& backend, EngineOptions options);
  ~StepEngine() override;
  std::string name() const override;
  /// At the first run of a plan: initial parameters from the seed, then warm-up until steps stop getting faster.
  std::vector<StepTrace> run(const StepPlan& plan, int steps) override;

 private:
  EngineSession& session_for(const StepPlan& plan);
  void close_old_sessions();

  const Backend& backend_;
  EngineOptions options_;
  std::list<std::unique_ptr<EngineSession>> sessions_;  // most recently used first
};

}  // namespace dtbench
