// The collectives of a plan, bound to the buffers of the ranks that take part.
//
// The n-th collective that a rank has on a group is the n-th of every other member, whatever its class.
#pragma once

#include <memory>
#include <vector>

#include "engine/plan/step_plan.h"
#include "engine/runtime/arena.h"
#include "engine/runtime/backend.h"
#include "engine/runtime/op_action.h"

namespace dtbench {

struct GroupCollectives {
  struct Entry {
    int rank = 0;
    OpId op = 0;
    CollectiveSeat seat;
  };
  std::vector<std::unique_ptr<Communicator>> communicators;  ///< one per group instance
  std::vector<std::vector<int>> ranks;                       ///< of each communicator, in member order
  std::vector<std::unique_ptr<Collective>> collectives;
  std::vector<Entry> entries;  ///< one per rank and collective op

  /// Ends every wait: `rank` failed.
  void abort_all(int rank, const std::string& reason);
};

/// `arenas[r]` is rank r's. Bad-input error when the members of a group disagree about what they do.
GroupCollectives bind_collectives(const StepPlan& plan, const Backend& backend, const std::vector<const Arena*>& arenas,
                                  double wait_limit_seconds);

}  // namespace dtbench
