#include "engine/runtime/launcher.h"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "engine/runtime/denormals.h"
#include "topologies/base/error.h"

namespace dtbench {
namespace {

using Seconds = std::chrono::duration<double>;
constexpr double kLongestGrace = 1.0;  // seconds for the others to stop after the first error

std::string message_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& e) {
    return e.what();
  } catch (...) {
    return "unknown exception";
  }
}

void name_thread(const Seat& seat) {
  pthread_setname_np(pthread_self(), fmt::format("r{}/{}", seat.rank, name_of(seat.stream)).substr(0, 15).c_str());
}

}  // namespace

std::exception_ptr with_rank(int rank, std::exception_ptr error) {
  const std::string name = fmt::format("rank {}", rank);
  try {
    std::rethrow_exception(error);
  } catch (const Error& e) {
    ErrorParts parts = e.parts();
    parts.where = parts.where.empty() ? name : name + ", " + parts.where;
    return std::make_exception_ptr(Error(e.code(), parts));
  } catch (...) {
    return std::make_exception_ptr(Error(ExitCode::run_failed, {name, message_of(error), "", ""}));
  }
}

// Shared with the threads, which may outlive the launcher.
struct Launcher::State {
  explicit State(std::vector<Seat> the_seats) : seats(std::move(the_seats)), done_jobs(seats.size(), 0) {}

  const std::vector<Seat> seats;
  std::vector<std::thread> threads;
  std::mutex mutex;  // of all below
  std::condition_variable started, finished;
  std::function<void(const Seat&)> job;
  std::function<void(int, const std::string&)> stop;
  std::int64_t jobs = 0;                // started
  std::vector<std::int64_t> done_jobs;  // by seat
  std::exception_ptr error;
  bool closing = false, broken = false;

  void serve(std::size_t seat);
  void fail(int rank, std::exception_ptr first);
  bool all_done() const {
    return std::all_of(done_jobs.begin(), done_jobs.end(), [&](std::int64_t done) { return done == jobs; });
  }
};

void Launcher::State::serve(std::size_t seat) {
  name_thread(seats[seat]);
  treat_denormals_as_zero();
  for (std::int64_t next = 1;; ++next) {
    std::function<void(const Seat&)> mine;
    {
      std::unique_lock lock(mutex);
      started.wait(lock, [&] { return jobs >= next || closing; });
      if (jobs < next) return;
      mine = job;
    }
    try {
      mine(seats[seat]);
    } catch (...) {
      fail(seats[seat].rank, with_rank(seats[seat].rank, std::current_exception()));
    }
    mine = nullptr;
    const std::lock_guard lock(mutex);
    done_jobs[seat] = next;
    finished.notify_all();
  }
}

// Later errors are mostly consequences of the first.
void Launcher::State::fail(int rank, std::exception_ptr first) {
  std::function<void(int, const std::string&)> tell;
  {
    const std::lock_guard lock(mutex);
    if (error) return;
    error = first;
    tell = stop;
  }
  if (tell) tell(rank, message_of(first));
  finished.notify_all();
}

Launcher::Launcher(std::vector<Seat> seats) : state_(std::make_shared<State>(std::move(seats))) {
  for (std::size_t s = 0; s < state_->seats.size(); ++s)
    state_->threads.emplace_back([state = state_, s] { state->serve(s); });
}

Launcher::~Launcher() {
  std::vector<bool> back(state_->seats.size());
  {
    std::unique_lock lock(state_->mutex);
    state_->closing = true;
    state_->job = nullptr;
    state_->stop = nullptr;
    state_->started.notify_all();
    state_->finished.wait_for(lock, Seconds(kLongestGrace), [&] { return state_->all_done(); });
    for (std::size_t s = 0; s < back.size(); ++s) back[s] = state_->done_jobs[s] == state_->jobs;
  }
  for (std::size_t s = 0; s < back.size(); ++s) back[s] ? state_->threads[s].join() : state_->threads[s].detach();
}

void Launcher::check_progress(State& state, const JobWatch& watch, std::int64_t& before) {
  const std::int64_t now = watch.progress ? watch.progress() : before;
  if (now != before) {
    before = now;
    return;
  }
  const Standstill still = watch.standstill ? watch.standstill() : Standstill{};
  const Error error(ExitCode::run_failed, {fmt::format("rank {}", still.rank), "no progress " + still.doing,
                                           fmt::format("an operation to end within {} s", watch.limit_seconds), ""});
  state.fail(still.rank, std::make_exception_ptr(error));
}

void Launcher::run(std::function<void(const Seat&)> job, const JobWatch& watch) {
  State& state = *state_;
  std::unique_lock lock(state.mutex);
  if (state.broken)
    throw Error(ExitCode::run_failed, {"engine session", "a session that failed before", "", "open a new one"});
  state.job = std::move(job);
  state.stop = watch.stop;
  ++state.jobs;
  state.started.notify_all();

  const Seconds limit(watch.limit_seconds);
  std::int64_t progress = watch.progress ? watch.progress() : 0;
  while (!state.finished.wait_for(lock, limit, [&] { return state.all_done() || state.error; })) {
    lock.unlock();
    check_progress(state, watch, progress);
    lock.lock();
  }
  if (state.error) {
    state.broken = true;
    state.finished.wait_for(lock, std::min(limit, Seconds(kLongestGrace)), [&] { return state.all_done(); });
    std::rethrow_exception(state.error);
  }
  state.job = nullptr;
  state.stop = nullptr;
}

}  // namespace dtbench
