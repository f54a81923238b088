// Walks one rank's plan, step after step, on a thread per stream.
//
// Each operation that another stream waits for has a counter of completed steps. A stream thread takes its operations
// in list order; before one it waits until everything in `after` has completed the step it names, so step k + 1 begins
// on one stream while step k still runs on another, as far as the dependencies allow.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/plan/step_plan.h"
#include "engine/runtime/op_action.h"
#include "engine/runtime/progress_counter.h"

namespace dtbench {

/// When one op ran in one step; the wait for its dependencies is not part of it.
struct OpTimes {
  std::chrono::steady_clock::time_point start, end;
};

/// Steps [first, first + count); `times` holds count x ops entries, or none when nothing is traced.
struct StepRange {
  std::int64_t first = 0;
  int count = 0;
  std::span<OpTimes> times;
};

/// What a stream is at, for messages about a rank that does not get on.
struct StreamPosition {
  OpId op = 0;
  bool running = false;  ///< false: waiting for a dependency, or not walking
};

class RankExecutor {
 public:
  RankExecutor(int rank, const RankClass& rank_class);

  int rank() const { return rank_; }
  const RankClass& rank_class() const { return class_; }
  bool has_stream(Stream stream) const { return !ops_of(stream).empty(); }
  const std::vector<OpId>& ops_of(Stream stream) const { return streams_[static_cast<std::size_t>(stream)].ops; }
  /// Every op needs its action before the first walk.
  void set_action(OpId op, std::unique_ptr<OpAction> action);

  /// Runs the stream's part of the steps on the calling thread. Throws what an action throws; an Error when
  /// `interrupt` was called meanwhile.
  void walk(Stream stream, const StepRange& range);
  /// Ends the waits of all streams of this rank.
  void interrupt();

  /// Grows whenever the rank gets on.
  std::int64_t progress() const;
  StreamPosition position(Stream stream) const;

 private:
  struct Wait {
    ProgressCounter* counter = nullptr;
    int step_distance = 0;
  };
  struct BoundOp {
    std::unique_ptr<OpAction> action;
    std::vector<Wait> waits;
    ProgressCounter* completed = nullptr;  // only when another stream waits for it
  };
  struct alignas(64) StreamState {
    std::vector<OpId> ops;
    std::atomic<std::int64_t> events{0};  // twice the ops done, plus one while one runs
    std::atomic<OpId> op{0};
  };

  void bind_dependencies();
  void wait_for_dependencies(const BoundOp& op, std::int64_t step);

  int rank_;
  const RankClass& class_;
  std::vector<BoundOp> ops_;
  std::vector<std::unique_ptr<ProgressCounter>> counters_;
  std::array<StreamState, kStreams> streams_;
};

}  // namespace dtbench
