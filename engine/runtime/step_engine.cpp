#include "engine/runtime/step_engine.h"

#include <algorithm>

#include "topologies/base/error.h"

namespace dtbench {
namespace {

constexpr int kWarmUpSteps = 2, kMostWarmUps = 8;
constexpr double kStillGettingFaster = 0.95;

double fastest_step(const std::vector<StepTrace>& traces) {
  double fastest = traces.front().step_seconds;
  for (const StepTrace& trace : traces) fastest = std::min(fastest, trace.step_seconds);
  return fastest;
}

// First touch, first use of caches and code: over when two steps are no faster than the two before.
void warm_up(EngineSession& session) {
  double before = fastest_step(session.run(kWarmUpSteps, true));
  for (int i = 1; i < kMostWarmUps; ++i) {
    const double now = fastest_step(session.run(kWarmUpSteps, true));
    if (now > kStillGettingFaster * before) return;
    before = now;
  }
}

std::int64_t arena_bytes(const EngineSession& session) {
  std::int64_t bytes = 0;
  for (int rank = 0; rank < session.plan().ranks; ++rank) bytes += session.arena_bytes(rank);
  return bytes;
}

}  // namespace

StepEngine::StepEngine(const Backend& backend, EngineOptions options) : backend_(backend), options_(options) {}

StepEngine::~StepEngine() = default;

std::string StepEngine::name() const { return backend_.traits().name; }

std::vector<StepTrace> StepEngine::run(const StepPlan& plan, int steps) {
  DTBENCH_CHECK(steps >= 1);
  EngineSession& session = session_for(plan);
  try {
    // One more step in front, so that the first that counts is not the one that fills the pipeline.
    std::vector<StepTrace> traces = session.run(steps + 1, true);
    traces.erase(traces.begin());
    return traces;
  } catch (...) {
    sessions_.pop_front();
    throw;
  }
}

EngineSession& StepEngine::session_for(const StepPlan& plan) {
  const auto same = [&](const auto& session) { return session->plan() == plan; };
  const auto found = std::find_if(sessions_.begin(), sessions_.end(), same);
  if (found != sessions_.end()) {
    sessions_.splice(sessions_.begin(), sessions_, found);
    return *sessions_.front();
  }
  auto session = open_session(backend_, plan, options_);
  initialize_parameters(*session, options_.seed);
  warm_up(*session);
  sessions_.push_front(std::move(session));
  close_old_sessions();
  return *sessions_.front();
}

void StepEngine::close_old_sessions() {
  std::int64_t bytes = 0;
  std::size_t kept = 0;
  for (const auto& session : sessions_) {
    bytes += arena_bytes(*session);
    if (kept > 0 && (kept >= kMostSessions || bytes > kMostArenaBytes)) break;
    ++kept;
  }
  sessions_.resize(kept);
}

}  // namespace dtbench
