#include "engine/runtime/group_collectives.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/collectives/algorithm.h"
#include "engine/runtime/rank_map.h"
#include "topologies/base/error.h"

namespace dtbench {
namespace {

/// A collective of one rank.
struct Part {
  int rank = 0;
  OpId op = 0;
  const CollectiveCall* call = nullptr;
};

std::vector<Part> parts_of(const RankClass& rank_class, int rank, int group) {
  std::vector<Part> parts;
  for (std::size_t i = 0; i < rank_class.ops.size(); ++i) {
    const auto& call = rank_class.ops[i].collective;
    if (call && call->group == group) parts.push_back({rank, static_cast<OpId>(i), &*call});
  }
  return parts;
}

bool agree(const CollectiveCall& a, const CollectiveCall& b) {
  return a.kind == b.kind && a.bytes == b.bytes && a.algorithm == b.algorithm;
}

// Binds what belongs to one instance of one group.
class InstanceBinder {
 public:
  InstanceBinder(const StepPlan& plan, int group, std::vector<int> ranks)
      : group_(plan.groups[static_cast<std::size_t>(group)]), ranks_(std::move(ranks)) {
    const std::vector<int> classes = classes_of_ranks(plan);
    for (const int rank : ranks_) {
      const int rank_class = classes[static_cast<std::size_t>(rank)];
      parts_.push_back(parts_of(plan.classes[static_cast<std::size_t>(rank_class)], rank, group));
    }
    check_agreement();
  }

  bool empty() const { return parts_.front().empty(); }

  void bind(Communicator& communicator, const std::vector<const Arena*>& arenas, GroupCollectives& result) const {
    for (std::size_t n = 0; n < parts_.front().size(); ++n) {
      const CollectiveCall& call = *parts_.front()[n].call;
      const Schedule schedule = collective_algorithm(call.algorithm).schedule(call.kind, group_.shape);
      std::vector<Collective*> variants;
      for (int v = 0; v < period(n, arenas); ++v)
        variants.push_back(result.collectives.emplace_back(communicator.bind(schedule, buffers(n, v, arenas))).get());
      for (std::size_t m = 0; m < ranks_.size(); ++m)
        result.entries.push_back({ranks_[m], parts_[m][n].op, {variants, static_cast<int>(m), ranks_, {}}});
    }
  }

 private:
  void check_agreement() const {
    for (const auto& parts : parts_) {
      const bool same = std::equal(parts.begin(), parts.end(), parts_.front().begin(), parts_.front().end(),
                                   [](const Part& a, const Part& b) { return agree(*a.call, *b.call); });
      if (!same)
        throw_bad_input({fmt::format("plan, group over '{}'", group_.axis), "members with different collectives",
                         "the same kind, bytes and algorithm in the same order", ""});
    }
    if (group_.shape.ranks() != static_cast<int>(ranks_.size()))
      throw_bad_input({fmt::format("plan, group over '{}'", group_.axis),
                       fmt::format("a shape of {} x {}", group_.shape.nodes, group_.shape.per_node),
                       fmt::format("a shape of {} ranks", ranks_.size()), ""});
  }

  const Arena& arena(std::size_t member, const std::vector<const Arena*>& arenas) const {
    return *arenas[static_cast<std::size_t>(ranks_[member])];
  }

  int period(std::size_t n, const std::vector<const Arena*>& arenas) const {
    return arena(0, arenas).period({parts_.front()[n].call->buffer});
  }

  std::vector<Buffer> buffers(std::size_t n, int variant, const std::vector<const Arena*>& arenas) const {
    std::vector<Buffer> result;
    for (std::size_t m = 0; m < ranks_.size(); ++m)
      result.push_back(arena(m, arenas).buffer(parts_[m][n].call->buffer, variant));
    return result;
  }

  const Group& group_;
  std::vector<int> ranks_;
  std::vector<std::vector<Part>> parts_;  // by member, in order
};

}  // namespace

void GroupCollectives::abort_all(int rank, const std::string& reason) {
  for (std::size_t c = 0; c < communicators.size(); ++c) {
    const auto at = std::find(ranks[c].begin(), ranks[c].end(), rank);
    communicators[c]->abort(at == ranks[c].end() ? -1 : static_cast<int>(at - ranks[c].begin()), reason);
  }
}

GroupCollectives bind_collectives(const StepPlan& plan, const Backend& backend, const std::vector<const Arena*>& arenas,
                                  double wait_limit_seconds) {
  GroupCollectives result;
  for (std::size_t g = 0; g < plan.groups.size(); ++g) {
    for (int i = 0; i < plan.groups[g].instances; ++i) {
      const std::vector<int> ranks = ranks_of_instance(plan.groups[g], i);
      const InstanceBinder binder(plan, static_cast<int>(g), ranks);
      if (binder.empty()) continue;
      auto communicator = backend.make_communicator(static_cast<int>(ranks.size()), wait_limit_seconds);
      binder.bind(*communicator, arenas, result);
      result.communicators.push_back(std::move(communicator));
      result.ranks.push_back(ranks);
    }
  }
  return result;
}

}  // namespace dtbench
