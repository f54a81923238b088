#include "engine/runtime/engine_session.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/runtime/executability.h"
#include "engine/runtime/group_collectives.h"
#include "engine/runtime/input_source.h"
#include "engine/runtime/launcher.h"
#include "engine/runtime/rank_executor.h"
#include "engine/runtime/rank_map.h"
#include "engine/runtime/trace_builder.h"
#include "topologies/base/error.h"

namespace dtbench {
namespace {

// Allocating and touching an arena and preparing kernels may take long and shows no progress meanwhile.
constexpr double kSetUpLimitSeconds = 600;

/// One rank: its device, its memory, its executor.
struct RankState {
  std::unique_ptr<Device> device;
  std::int64_t arena_bytes = 0;
  std::unique_ptr<Arena> arena;
  std::unique_ptr<RankExecutor> executor;
};

/// Everything that the threads touch; shared with them, since a stuck thread may outlive the session.
struct SessionState {
  SessionState(StepPlan the_plan, const EngineOptions& the_options)
      : plan(std::move(the_plan)), options(the_options), classes(classes_of_ranks(plan)) {}

  const StepPlan plan;
  const EngineOptions options;
  const std::vector<int> classes;  ///< of ranks
  StepScalars scalars;
  InputFill input;
  std::vector<RankState> ranks;
  GroupCollectives collectives;

  const RankClass& class_of(int rank) const {
    return plan.classes[static_cast<std::size_t>(classes[static_cast<std::size_t>(rank)])];
  }
  RankState& rank(int rank) { return ranks[static_cast<std::size_t>(rank)]; }
  const RankState& rank(int rank) const { return ranks[static_cast<std::size_t>(rank)]; }

  void allocate(int rank);
  void prepare(const Seat& seat);
  std::unique_ptr<OpAction> prepare_action(int rank, OpId op);
  void stop(int culprit, const std::string& reason);
  std::int64_t progress() const;
  Standstill standstill() const;
  std::string whereabouts(int rank) const;
};

void SessionState::allocate(int r) {
  RankState& state = rank(r);
  const RankClass& rank_class = class_of(r);
  state.arena_bytes = rank_class.memory.arena_bytes;
  state.arena = std::make_unique<Arena>(rank_class, state.device->allocate(state.arena_bytes));
}

void SessionState::prepare(const Seat& seat) {
  RankExecutor& executor = *rank(seat.rank).executor;
  for (const OpId op : executor.ops_of(seat.stream)) {
    auto action = prepare_action(seat.rank, op);
    const TensorId predicate = class_of(seat.rank).ops[static_cast<std::size_t>(op)].predicate;
    if (predicate != kNoTensor) action = predicated_action(std::move(action), *rank(seat.rank).arena, predicate);
    executor.set_action(op, std::move(action));
  }
}

std::unique_ptr<OpAction> SessionState::prepare_action(int r, OpId id) {
  const PlanOp& op = class_of(r).ops[static_cast<std::size_t>(id)];
  RankState& state = rank(r);
  if (op.type == OpType::host_transfer && op.kind == "input")
    return input_action(*state.arena, class_of(r), op, replica_of_rank(plan, r), input);
  if (!op.collective) {
    const std::int64_t first_example = replica_of_rank(plan, r) * plan.batch_per_replica;
    return kernel_action(*state.device, *state.arena, op, scalars, first_example);
  }
  for (const GroupCollectives::Entry& entry : collectives.entries) {
    if (entry.rank != r || entry.op != id) continue;
    CollectiveSeat seat = entry.seat;
    seat.whereabouts = [this](int peer) { return whereabouts(peer); };
    return collective_action(op, std::move(seat));
  }
  throw_bad_input({fmt::format("plan, op '{}'", op.name), fmt::format("rank {} outside its group", r),
                   "a group that holds every rank of the class", ""});
}

void SessionState::stop(int culprit, const std::string& reason) {
  collectives.abort_all(culprit, reason);
  for (RankState& state : ranks) state.executor->interrupt();
}

std::int64_t SessionState::progress() const {
  std::int64_t events = 0;
  for (const RankState& state : ranks) events += state.executor->progress();
  return events;
}

// The first rank that is inside an op of its own; the others wait for it.
Standstill SessionState::standstill() const {
  for (const RankState& state : ranks) {
    for (int s = 0; s < kStreams; ++s) {
      const StreamPosition at = state.executor->position(static_cast<Stream>(s));
      const PlanOp& op = state.executor->rank_class().ops[static_cast<std::size_t>(at.op)];
      if (at.running && !op.collective) return {state.executor->rank(), fmt::format("in op '{}'", op.name)};
    }
  }
  return {0, "in any op: " + whereabouts(0)};
}

std::string SessionState::whereabouts(int r) const {
  const RankExecutor& executor = *rank(r).executor;
  std::string text;
  for (int s = 0; s < kStreams; ++s) {
    const auto stream = static_cast<Stream>(s);
    if (!executor.has_stream(stream)) continue;
    const StreamPosition at = executor.position(stream);
    text += fmt::format("{}{} '{}'", text.empty() ? "" : ", ", at.running ? "in" : "before",
                        class_of(r).ops[static_cast<std::size_t>(at.op)].name);
  }
  return text;
}

std::vector<Seat> seats_of(const SessionState& state) {
  std::vector<Seat> seats;
  for (int r = 0; r < state.plan.ranks; ++r) {
    for (const Stream stream : {Stream::compute, Stream::communication, Stream::host})
      if (stream == Stream::compute || state.rank(r).executor->has_stream(stream)) seats.push_back({r, stream});
  }
  return seats;
}

double initial_learning_rate(const StepPlan& plan) {
  for (const RankClass& rank_class : plan.classes) {
    for (const PlanOp& op : rank_class.ops)
      if (const auto at = op.attributes.find("learning_rate"); at != op.attributes.end()) return at->second;
  }
  return 0;
}

class ThreadedSession : public EngineSession {
 public:
  ThreadedSession(const Backend& backend, StepPlan plan, const EngineOptions& options)
      : name_(backend.traits().name), state_(std::make_shared<SessionState>(std::move(plan), options)) {
    state_->scalars = {initial_learning_rate(state_->plan), options.seed};
    for (int r = 0; r < state_->plan.ranks; ++r)
      state_->ranks.push_back({backend.open_device(r, options.threads_per_replica), 0, nullptr,
                               std::make_unique<RankExecutor>(r, state_->class_of(r))});
    launcher_ = std::make_unique<Launcher>(seats_of(*state_));
    set_up(backend);
  }

  const StepPlan& plan() const override { return state_->plan; }

  void set_input(InputFill fill) override { state_->input = std::move(fill); }

  std::vector<StepTrace> run(int steps, bool trace) override {
    if (!state_->input) state_->input = generated_input(state_->plan, state_->options.seed);
    TraceBuilder builder(state_->plan, state_->classes, steps, trace ? name_ : "");
    const auto first = next_step_;
    const auto state = state_;
    const auto times = builder.times();
    launcher_->run(
        [state, times, first, steps](const Seat& seat) {
          const StepRange range{first, steps, times->of_rank(seat.rank)};
          state->rank(seat.rank).executor->walk(seat.stream, range);
        },
        watch(state_->options.wait_limit_seconds));
    next_step_ += steps;
    return builder.traces();
  }

  std::vector<double> read(int rank, TensorId tensor) const override {
    return to_doubles(state_->rank(rank).arena->buffer(tensor, std::max<std::int64_t>(next_step_ - 1, 0)));
  }

  void write(int rank, TensorId tensor, std::span<const double> values) override {
    from_doubles(state_->rank(rank).arena->buffer(tensor, next_step_), values);
  }

  void set_learning_rate(double learning_rate) override { state_->scalars.learning_rate = learning_rate; }

  std::int64_t arena_bytes(int rank) const override { return state_->rank(rank).arena_bytes; }

 private:
  // In phases, each over all ranks: collectives need every rank's memory; each op is prepared on its own stream.
  void set_up(const Backend& backend) {
    const auto state = state_;
    on_all([state](const Seat& seat) { state->rank(seat.rank).device->enter(seat.stream); });
    on_all([state](const Seat& seat) {
      if (seat.stream == Stream::compute) state->allocate(seat.rank);
    });
    std::vector<const Arena*> arenas;
    for (const RankState& rank : state_->ranks) arenas.push_back(rank.arena.get());
    state_->collectives = bind_collectives(state_->plan, backend, arenas, state_->options.wait_limit_seconds);
    for (const Stream stream : {Stream::compute, Stream::communication, Stream::host}) {
      on_all([state, stream](const Seat& seat) {
        if (seat.stream == stream) state->prepare(seat);
      });
    }
  }

  void on_all(std::function<void(const Seat&)> job) {
    launcher_->run(std::move(job), {kSetUpLimitSeconds, {}, {}, {}});
  }

  JobWatch watch(double limit_seconds) const {
    const auto state = state_;
    return {limit_seconds, [state] { return state->progress(); }, [state] { return state->standstill(); },
            [state](int rank, const std::string& reason) { state->stop(rank, reason); }};
  }

  std::string name_;
  std::shared_ptr<SessionState> state_;
  std::unique_ptr<Launcher> launcher_;
  std::int64_t next_step_ = 0;
};

}  // namespace

std::unique_ptr<EngineSession> open_session(const Backend& backend, StepPlan plan, const EngineOptions& options) {
  require_executable(plan, backend, options.threads_per_replica);
  return std::make_unique<ThreadedSession>(backend, std::move(plan), options);
}

}  // namespace dtbench
