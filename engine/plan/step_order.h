// What is known to be finished when an operation starts: the order that streams and dependencies enforce, across steps.
#pragma once

#include <array>
#include <vector>

#include "engine/plan/step_plan.h"

namespace dtbench {

/// Positions of operations are counted along the list, earlier steps negative: operation i of d steps ago stands at
/// i - d * ops. Streams are first-in-first-out, so one position for each stream says all.
class StepOrder {
 public:
  /// Reads streams and dependencies of `ops`; same-step dependencies must point to earlier list entries.
  explicit StepOrder(const std::vector<PlanOp>& ops);

  /// Whether `a`, of `distance` steps before `b`'s step, has finished whenever `b` starts.
  bool finished_before(OpId a, OpId b, int distance) const;

  /// Learns what the dependencies of `op` say now; for one who adds dependencies in list order.
  void refresh(OpId op);
  /// Learns everything again, until nothing more follows from one step to the next.
  void refresh_all();

 private:
  using Finished = std::array<long long, kStreams>;  ///< greatest finished position of each stream

  bool learn(OpId op);
  void include(Finished& known, OpId op, int distance) const;

  const std::vector<PlanOp>& ops_;
  std::vector<std::size_t> streams_;     ///< of each operation, close together
  std::vector<OpId> previous_;           ///< in the same stream; the stream's last operation for its first
  std::vector<bool> previous_is_older_;  ///< ... which ran a step earlier
  std::vector<Finished> known_;
};

}  // namespace dtbench
