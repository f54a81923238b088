// Plays a plan's streams and dependencies in virtual time, several steps on end, until the step time is steady.
//
// The walk knows order, rendezvous, overlap slowdown and step overhead; whoever drives it keeps the clock and makes
// collectives take time: arithmetic (closed_form.h) or SimGrid (sim/flow). Both therefore play exactly the same step.
// One rank stands for its class. Repeats are unrolled; an op's span then reaches from its first to its last iteration.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/plan/step_plan.h"
#include "engine/plan/step_trace.h"

namespace dtbench {

/// A collective that every class taking part in it has reached.
struct CollectiveStart {
  const PlanOp* op = nullptr;  ///< of the first of `classes`; has `collective`
  OpId op_id = 0;
  const std::vector<int>* classes = nullptr;  ///< rank classes that meet in it, ascending
};

/// Keeps the time of a walk. Callbacks come in order of time; equal times in the order in which they were asked for.
class WalkClock {
 public:
  virtual ~WalkClock() = default;
  virtual double now() const = 0;  ///< seconds
  /// Calls `then` `seconds` >= 0 from now, never before returning. Some callbacks come too late to matter (an op that
  /// was slowed down and is no longer): the walk ignores those, so nothing need be cancelled.
  virtual void after(double seconds, std::function<void()> then) = 0;
  /// Begins a collective now, on all instances of its group; `done` once, not before returning.
  virtual void start_collective(const CollectiveStart& start, std::function<void()> done) = 0;
};

/// A plan made ready for walking: streams, dependencies and rendezvous as indices. Refers to the plan, which must
/// outlive it. Reusable for any number of walks.
class WalkProgram {
 public:
  explicit WalkProgram(const StepPlan& plan);
  const StepPlan& plan() const { return *plan_; }

 private:
  friend class StepWalk;
  struct Wait {
    int instance = 0, step_distance = 0;
  };
  /// One iteration of one op.
  struct Instance {
    OpId op = 0;
    Stream stream = Stream::compute;
    int first_wait = 0, wait_count = 0;  ///< into `waits`
    int meeting = -1;                    ///< index into meetings_ for collectives
  };
  struct ClassProgram {
    std::vector<Instance> instances;
    std::vector<Wait> waits;
    std::array<std::vector<int>, kStreams> order;  ///< instances of each stream
  };
  /// Classes that run the same collective op together.
  struct Meeting {
    std::vector<int> classes;
    const PlanOp* op = nullptr;  ///< of classes[0]
    OpId op_id = 0;
  };
  static ClassProgram unroll(const RankClass& cls);
  void find_meetings(int group);

  const StepPlan* plan_;
  std::vector<ClassProgram> classes_;
  std::vector<Meeting> meetings_;
  int deepest_step_distance_ = 0;
};

/// Seconds that the walk itself needs.
struct WalkTimes {
  std::vector<std::vector<double>> op_seconds;  ///< [class][op], crowding included; not read for collectives
  double step_overhead_seconds = 0;             ///< on the compute stream before the first op of each step
  double overlap_slowdown = 0;  ///< fraction of a collective's time that compute running beside it loses
};

class StepWalk {
 public:
  /// All three must outlive the walk, and the walk the clock's last callback.
  StepWalk(const WalkProgram& program, const WalkTimes& times, WalkClock& clock);

  /// Begins step 0 now; everything else happens in callbacks.
  void start();
  /// The period is steady or `kMaxSteps` were played: no new op starts; what runs may end.
  bool finished() const { return finished_; }
  /// Steady-state seconds per step (the mean of the second half when no two steps came out alike). Only once finished.
  double period() const;
  /// The last complete step, one rank per class, times since its first op started. Only once finished.
  StepTrace trace(std::string runner) const;

  static constexpr int kMaxSteps = 64;

 private:
  /// Steps kept: one complete to compare with, the others under way. A stream that nothing holds back runs at most this
  /// far ahead, as a bounded prefetch queue would.
  static constexpr int kWindow = 8;
  struct StreamState {
    int step = 0, position = 0;  ///< next instance
    bool busy = false;
  };
  struct RunningCompute {
    int instance = -1;  ///< none
    double remaining = 0, since = 0;
    std::uint32_t generation = 0;  ///< a callback of an older generation was overtaken
  };
  struct ClassState {
    std::array<StreamState, kStreams> streams;
    std::vector<int> finished_steps;  ///< by instance: steps in which it has ended
    RunningCompute compute;
    int running_collectives = 0;
    int overhead_paid = 0;  ///< steps whose overhead has been spent
  };
  struct StepRecord {
    int open_instances = 0;
    double end = 0;
    std::vector<std::vector<OpSpan>> spans;  ///< [class][op], absolute times; start < 0 = not begun
  };

  void advance(int rank_class);
  void advance_stream(int rank_class, Stream stream);
  bool may_start(int rank_class, int instance, int step) const;
  bool pays_overhead(int rank_class, Stream stream);
  void begin(int rank_class, int instance, int step);
  void begin_compute(int rank_class, int instance);
  void continue_compute(int rank_class);
  void join_meeting(int meeting);
  void leave_meeting(int meeting);
  void change_collectives(int rank_class, int by);
  void end(int rank_class, Stream stream);
  void end_step();
  bool shifted_alike(const StepRecord& record, const StepRecord& before) const;
  StepRecord& record(int step) { return records_[step % kWindow]; }
  const StepRecord& record(int step) const { return records_[step % kWindow]; }
  void reset(StepRecord& record) const;

  const WalkProgram& program_;
  const WalkTimes& times_;
  WalkClock& clock_;
  std::vector<ClassState> classes_;
  std::vector<int> arrived_;  ///< by meeting
  std::array<StepRecord, kWindow> records_;
  std::vector<double> step_ends_;
  int instances_ = 0;       ///< of all classes
  int complete_steps_ = 0;  ///< steps 0 .. complete_steps_ - 1 have ended everywhere
  int alike_steps_ = 0;     ///< in a row
  bool finished_ = false;
};

}  // namespace dtbench
