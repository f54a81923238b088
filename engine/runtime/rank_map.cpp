#include "engine/runtime/rank_map.h"

#include "topologies/base/error.h"

namespace dtbench {

std::vector<int> classes_of_ranks(const StepPlan& plan) {
  std::vector<int> classes(static_cast<std::size_t>(plan.ranks), -1);
  for (std::size_t c = 0; c < plan.classes.size(); ++c) {
    for (const RankSet& set : plan.classes[c].ranks) {
      for (int i = 0; i < set.count; ++i)
        classes.at(static_cast<std::size_t>(set.first + i * set.stride)) = static_cast<int>(c);
    }
  }
  for (const int rank_class : classes) DTBENCH_CHECK(rank_class >= 0);
  return classes;
}

std::vector<int> ranks_of_instance(const Group& group, int instance) {
  std::vector<int> ranks;
  for (int i = 0; i < group.members.count; ++i)
    ranks.push_back(group.members.first + instance * group.instance_stride + i * group.members.stride);
  return ranks;
}

std::optional<GroupPlace> place_in_group(const Group& group, int rank) {
  for (int instance = 0; instance < group.instances; ++instance) {
    const int distance = rank - group.members.first - instance * group.instance_stride;
    const int stride = group.members.stride;
    if (distance < 0 || stride <= 0 || distance % stride != 0) continue;
    if (distance / stride < group.members.count) return GroupPlace{instance, distance / stride};
  }
  return std::nullopt;
}

int replica_of_rank(const StepPlan& plan, int rank) {
  for (const Group& group : plan.groups) {
    if (group.axis != "data" || group.members.count != plan.replicas) continue;
    if (const auto place = place_in_group(group, rank)) return place->member;
  }
  return static_cast<int>(std::int64_t{rank} * plan.replicas / plan.ranks);
}

}  // namespace dtbench
