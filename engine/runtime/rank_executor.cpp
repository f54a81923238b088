#include "engine/runtime/rank_executor.h"

#include <fmt/format.h>

#include "topologies/base/error.h"

namespace dtbench {
namespace {

using Clock = std::chrono::steady_clock;

// The streams of a rank share its cores, so a spinning waiter would take them from the one it waits for.
constexpr WaitPolicy kOwnRankWait{};

// Only the stream's own thread writes it, so this need not be one atomic addition.
void count_event(std::atomic<std::int64_t>& events) {
  events.store(events.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

}  // namespace

RankExecutor::RankExecutor(int rank, const RankClass& rank_class)
    : rank_(rank), class_(rank_class), ops_(rank_class.ops.size()) {
  for (std::size_t i = 0; i < ops_.size(); ++i)
    streams_[static_cast<std::size_t>(class_.ops[i].stream)].ops.push_back(static_cast<OpId>(i));
  bind_dependencies();
}

// Dependencies within a stream hold by list order.
void RankExecutor::bind_dependencies() {
  for (std::size_t i = 0; i < ops_.size(); ++i) {
    for (const Dependency& dependency : class_.ops[i].after) {
      const auto other = static_cast<std::size_t>(dependency.op);
      if (class_.ops[other].stream == class_.ops[i].stream) continue;
      if (!ops_[other].completed)
        ops_[other].completed = counters_.emplace_back(std::make_unique<ProgressCounter>()).get();
      ops_[i].waits.push_back({ops_[other].completed, dependency.step_distance});
    }
  }
}

void RankExecutor::set_action(OpId op, std::unique_ptr<OpAction> action) {
  ops_[static_cast<std::size_t>(op)].action = std::move(action);
}

void RankExecutor::walk(Stream stream, const StepRange& range) {
  StreamState& state = streams_[static_cast<std::size_t>(stream)];
  Clock::time_point now = Clock::now();
  for (int k = 0; k < range.count; ++k) {
    const std::int64_t step = range.first + k;
    for (const OpId id : state.ops) {
      BoundOp& op = ops_[static_cast<std::size_t>(id)];
      state.op.store(id, std::memory_order_relaxed);
      if (!op.waits.empty()) {
        wait_for_dependencies(op, step);
        now = Clock::now();
      }
      count_event(state.events);
      op.action->run(step);
      count_event(state.events);
      if (!range.times.empty()) {
        OpTimes& times = range.times[static_cast<std::size_t>(k) * ops_.size() + static_cast<std::size_t>(id)];
        times.start = now;
        times.end = now = Clock::now();
      }
      if (op.completed) op.completed->advance();
    }
  }
}

void RankExecutor::wait_for_dependencies(const BoundOp& op, std::int64_t step) {
  for (const Wait& wait : op.waits) {
    const std::int64_t steps = step + 1 - wait.step_distance;
    if (steps <= 0 || wait.counter->reached(static_cast<std::uint32_t>(steps))) continue;
    // No deadline of its own: the launcher watches that the rank gets on, and interrupts.
    if (wait.counter->wait(static_cast<std::uint32_t>(steps), kOwnRankWait, Deadline::max()) ==
        WaitOutcome::interrupted)
      throw Error(ExitCode::run_failed, {fmt::format("rank {}", rank_), "interrupted", "", ""});
  }
}

void RankExecutor::interrupt() {
  for (const auto& counter : counters_) counter->interrupt();
}

std::int64_t RankExecutor::progress() const {
  std::int64_t events = 0;
  for (const StreamState& state : streams_) events += state.events.load(std::memory_order_relaxed);
  return events;
}

StreamPosition RankExecutor::position(Stream stream) const {
  const StreamState& state = streams_[static_cast<std::size_t>(stream)];
  return {state.op.load(std::memory_order_relaxed), (state.events.load(std::memory_order_relaxed) & 1) != 0};
}

}  // namespace dtbench
