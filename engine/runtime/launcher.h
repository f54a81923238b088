// The threads of a session: one for each rank and stream, alive as long as the session (an OpenMP team belongs to the
// thread that made it, memory to the core that touched it first), asleep between jobs. They treat denormal floats as
// zero.
//
// A job that throws, or threads that do not get on, end the job everywhere: the first error is rethrown with the rank
// named, after the others have been told to stop. A thread that does not come back even then (stuck in a kernel) is
// given up: the launcher refuses further jobs, and what the job owns stays alive with that thread.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/plan/step_plan.h"

namespace dtbench {

/// What one thread is for.
struct Seat {
  int rank = 0;
  Stream stream = Stream::compute;
};

/// The rank that holds the others up, and what it is doing ("in op 'relu'").
struct Standstill {
  int rank = 0;
  std::string doing;
};

/// How the launcher watches a job. All are called on the launching thread, but `stop` by the first thread that fails.
struct JobWatch {
  double limit_seconds = 60;                                      ///< longest time without progress
  std::function<std::int64_t()> progress;                         ///< grows while anything gets on
  std::function<Standstill()> standstill;                         ///< asked when nothing does
  std::function<void(int rank, const std::string& reason)> stop;  ///< called once: `rank` failed
};

class Launcher {
 public:
  explicit Launcher(std::vector<Seat> seats);
  ~Launcher();
  Launcher(const Launcher&) = delete;
  Launcher& operator=(const Launcher&) = delete;

  /// Runs `job` on every seat's thread and waits. The job must own (shared_ptr) what it touches.
  void run(std::function<void(const Seat&)> job, const JobWatch& watch);

 private:
  struct State;
  static void check_progress(State& state, const JobWatch& watch, std::int64_t& before);

  std::shared_ptr<State> state_;
};

/// The same error with "rank R" in front of its place; other exceptions become an Error with their text.
std::exception_ptr with_rank(int rank, std::exception_ptr error);

}  // namespace dtbench
