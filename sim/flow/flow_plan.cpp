#include "sim/flow/flow_plan.h"

#include <algorithm>
#include <set>
#include <utility>

#include "engine/collectives/algorithm.h"
#include "sim/flow/link_capacities.h"
#include "sim/model/phase_links.h"
#include "topologies/base/error.h"
#include "topologies/topology_graph.h"

namespace dtbench {
namespace {

/// Every instance has the same devices of every node of the plan.
bool spans_nodes_alike(const Group& group, const StepPlan& plan, int per_node) {
  if (group.shape.nodes != plan.nodes) return false;
  for (int instance = 0; instance < group.instances; ++instance) {
    const std::vector<int> ranks = group_ranks(group, instance);
    for (std::size_t member = 0; member < ranks.size(); ++member) {
      const int node = static_cast<int>(member) / group.shape.per_node,
                local = static_cast<int>(member) % group.shape.per_node;
      if (ranks[member] != ranks[static_cast<std::size_t>(local)] % per_node + node * per_node) return false;
    }
  }
  return true;
}

/// Two nodes can stand for all: whatever is done on one node is done on each.
bool nodes_are_alike(const StepPlan& plan, const Topology& topology) {
  for (const Group& group : plan.groups) {
    if (group.instances > 1 && plan.classes.size() > 1) return false;
    if (!spans_nodes_alike(group, plan, topology.devices_per_node)) return false;
  }
  return true;
}

/// (group, scope) of all phases of the plan's collectives, each once.
std::set<std::pair<int, Scope>> scopes_used(const StepPlan& plan) {
  std::set<std::pair<int, Scope>> used;
  for (const RankClass& cls : plan.classes)
    for (const PlanOp& op : cls.ops) {
      if (!op.collective) continue;
      const CollectiveCall& call = *op.collective;
      const Group& group = plan.groups.at(static_cast<std::size_t>(call.group));
      const auto phases =
          collective_algorithm(call.algorithm).phases(call.kind, group.shape, static_cast<double>(call.bytes));
      for (const Phase& phase : phases) used.emplace(call.group, phase.scope);
    }
  return used;
}

class Builder {
 public:
  Builder(const StepPlan& plan, const Topology& topology, bool two_nodes_only)
      : plan_(plan),
        per_node_(topology.devices_per_node),
        two_nodes_only_(two_nodes_only),
        classes_(class_by_rank(plan)) {}

  void add(const TopologyGraph& graph, int group_index, Scope scope) {
    const Group& group = plan_.groups[static_cast<std::size_t>(group_index)];
    const GroupShape shape = two_nodes_only_ ? two_nodes(group.shape) : group.shape;
    for (int instance = 0; instance < group.instances; ++instance) {
      const std::vector<int> ranks =
          two_nodes_only_ ? ranks_on_two_nodes(group, instance, per_node_) : group_ranks(group, instance);
      PhaseFootprint footprint = phase_footprint(graph, ranks, shape, scope, per_node_);
      FlowSet& set = set_of(group_index, scope, class_of(group.members.first + instance * group.instance_stride));
      DTBENCH_CHECK(set.flows.empty() || set.rings == footprint.rings);
      set.rings = footprint.rings;
      for (std::vector<LinkUse>& unit : footprint.units)
        if (!unit.empty()) add_flow(set, std::move(unit));
    }
  }

  FlowPlan take() { return std::move(result_); }

 private:
  int class_of(int rank) const { return classes_.at(static_cast<std::size_t>(rank)); }

  FlowSet& set_of(int group, Scope scope, int rank_class) {
    for (FlowSet& set : result_.sets)
      if (set.group == group && set.scope == scope && set.rank_class == rank_class) return set;
    return result_.sets.emplace_back(FlowSet{group, scope, rank_class, 1, {}});
  }

  void add_flow(FlowSet& set, std::vector<LinkUse> links) {
    const int together = static_cast<int>(&set - result_.sets.data());
    set.flows.push_back(static_cast<int>(result_.system.flows.size()));
    result_.system.flows.push_back({together, std::move(links)});
  }

  const StepPlan& plan_;
  int per_node_;
  bool two_nodes_only_;
  std::vector<int> classes_;
  FlowPlan result_;
};

FlowPlan with_equal_flows_merged(const FlowPlan& full) {
  ReducedFlows reduced = reduce_symmetry(full.system);
  FlowPlan result{std::move(reduced.system), full.sets};
  for (FlowSet& set : result.sets) {
    for (int& flow : set.flows) flow = reduced.flow_of[static_cast<std::size_t>(flow)];
    std::sort(set.flows.begin(), set.flows.end());
    set.flows.erase(std::unique(set.flows.begin(), set.flows.end()), set.flows.end());
  }
  return result;
}

}  // namespace

std::vector<int> class_by_rank(const StepPlan& plan) {
  std::vector<int> classes(static_cast<std::size_t>(plan.ranks), 0);
  for (std::size_t c = 0; c < plan.classes.size(); ++c)
    for (const RankSet& set : plan.classes[c].ranks)
      for (int i = 0; i < set.count; ++i)
        classes.at(static_cast<std::size_t>(set.first + i * set.stride)) = static_cast<int>(c);
  return classes;
}

FlowPlan make_flow_plan(const StepPlan& plan, const Topology& topology, const Calibration& calibration,
                        const FlowOptions& options) {
  const std::set<std::pair<int, Scope>> used = scopes_used(plan);
  if (used.empty() && options.degraded.empty()) return {};
  const bool two = options.reduce_symmetry && options.degraded.empty() && nodes_are_alike(plan, topology);
  const Topology machine = two ? two_nodes(topology) : topology;
  const TopologyGraph graph(machine);
  Builder builder(plan, machine, two);
  for (const auto& [group, scope] : used) builder.add(graph, group, scope);
  FlowPlan full = builder.take();
  full.system.capacities = link_capacities(graph, machine, calibration, options.degraded);
  return options.reduce_symmetry ? with_equal_flows_merged(full) : full;
}

}  // namespace dtbench
