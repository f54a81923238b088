// Which rank is what: its class, its place in a group, the replica it belongs to. Expands a plan's rank sets; only
// executors do that, since a plan costs what its classes cost.
#pragma once

#include <optional>
#include <vector>

#include "engine/plan/step_plan.h"

namespace dtbench {

/// Index into StepPlan::classes for every rank.
std::vector<int> classes_of_ranks(const StepPlan& plan);

struct GroupPlace {
  int instance = 0, member = 0;
  bool operator==(const GroupPlace&) const = default;
};

/// nullopt: the rank is in no instance of the group.
std::optional<GroupPlace> place_in_group(const Group& group, int rank);
/// Ranks of one instance, in member order.
std::vector<int> ranks_of_instance(const Group& group, int instance);

/// Index of the replica among `plan.replicas`: the place in the group that spans the mesh axis "data", otherwise equal
/// runs of consecutive ranks.
int replica_of_rank(const StepPlan& plan, int rank);

}  // namespace dtbench
