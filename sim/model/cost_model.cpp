#include "sim/model/cost_model.h"

#include <algorithm>
#include <limits>

#include "engine/collectives/algorithm.h"
#include "sim/model/phase_links.h"
#include "topologies/base/error.h"
#include "topologies/topology_graph.h"

namespace dtbench {

namespace {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();

/// What a phase crosses: its own tier, or both when a flat ring leaves the node.
struct Crossed {
  bool within = false, between = false;
};

Crossed crossed(const Phase& phase, GroupShape shape) {
  if (phase.ring_size <= 1) return {};
  if (phase.scope == Scope::within_node) return {true, false};
  if (phase.scope == Scope::between_nodes) return {false, true};
  return {shape.per_node > 1, shape.nodes > 1};
}

/// Link calibrations of the tiers; `between` only when the machine has such a tier.
struct Tiers {
  const LinkCalibration* within = nullptr;
  const LinkCalibration* between = nullptr;
};

Tiers tiers_of(const Topology& topology, const Calibration& calibration, Crossed crossed) {
  Tiers tiers;
  if (crossed.within) tiers.within = &calibration.link(topology.within_node.link_class);
  if (crossed.between) {
    DTBENCH_CHECK(topology.between_nodes.has_value());
    tiers.between = &calibration.link(topology.between_nodes->link_class);
  }
  return tiers;
}

double size_factor(const LinkCalibration* link, double bytes) {
  if (link == nullptr) return kUnlimited;
  return link->size_factor ? rate_at(*link->size_factor, bytes) : 1;
}

/// The larger of a parameter over the tiers crossed.
double slowest(const Tiers& tiers, Parameter LinkCalibration::*parameter) {
  return std::max(tiers.within ? (tiers.within->*parameter).value : 0,
                  tiers.between ? (tiers.between->*parameter).value : 0);
}

double factor_at(const std::optional<RateCurve>& factor, double place) {
  return factor && place > 0 ? rate_at(*factor, place) : 1;
}

/// Instances of a group whose ranks begin on the node of instance 0: those that share its links.
int instances_on_a_node(const Group& group, int devices_per_node) {
  if (group.instance_stride <= 0) return 1;
  const int room = devices_per_node - group.members.first % devices_per_node;
  return std::clamp((room + group.instance_stride - 1) / group.instance_stride, 1, group.instances);
}

}  // namespace

OpSurroundings surroundings(const RankClass& cls, const PlanOp& op) {
  std::int64_t width = 0;
  for (const std::vector<TensorId>* tensors : {&op.inputs, &op.outputs})
    for (const TensorId id : *tensors) {
      const Shape& shape = cls.tensors[static_cast<std::size_t>(id)].shape;
      if (shape.size() > 1 && (width == 0 || shape.back() < width)) width = shape.back();
    }
  return {double(width), double(cls.memory.arena_bytes)};
}

double op_seconds(const PlanOp& op, const OpSurroundings& around, const Calibration& calibration) {
  const OpCalibration& entry = calibration.op(op.kind, op.arithmetic);
  const double narrow = factor_at(entry.width_factor, around.width);
  double seconds = entry.overhead_seconds.value;
  if (entry.flop_rate && op.flops > 0) seconds += op.flops / (rate_at(*entry.flop_rate, op.flops) * narrow);
  if (entry.byte_rate && op.bytes > 0)
    seconds += op.bytes / (rate_at(*entry.byte_rate, op.bytes) * factor_at(entry.cold_factor, around.step_bytes) *
                           (entry.flop_rate ? 1 : narrow));
  return seconds;
}

const EdgeCapacity& CapacityTable::capacity(const Group& group, Scope scope) {
  const Key key{group.members, group.instances, group.instance_stride, group.shape.nodes, group.shape.per_node, scope};
  for (const auto& [known, capacity] : known_)
    if (known == key) return capacity;
  return known_.emplace_back(key, compute(group, scope)).second;
}

EdgeCapacity CapacityTable::compute(const Group& group, Scope scope) const {
  const TopologyGraph graph(two_nodes(topology_));
  const int per_node = topology_.devices_per_node;
  std::vector<int> times(graph.links().size(), 0);
  int rings = 1;
  for (int instance = 0; instance < instances_on_a_node(group, per_node); ++instance) {
    const PhaseFootprint footprint =
        phase_footprint(graph, ranks_on_two_nodes(group, instance, per_node), two_nodes(group.shape), scope, per_node);
    rings = footprint.rings;
    for (const std::vector<LinkUse>& unit : footprint.units)
      for (const LinkUse& use : unit) times[use.link] += use.times;
  }
  EdgeCapacity capacity{kUnlimited, kUnlimited};
  for (std::size_t link = 0; link < times.size(); ++link) {
    if (times[link] == 0) continue;
    double& tier = graph.links()[link].between_nodes ? capacity.between_nodes : capacity.within_node;
    tier = std::min(tier, rings * graph.links()[link].bandwidth / times[link]);
  }
  return capacity;
}

std::vector<PhaseCost> collective_phases(const StepPlan& plan, const CollectiveCall& call, const Topology& topology,
                                         const Calibration& calibration, CapacityTable& capacities) {
  const Group& group = plan.groups.at(static_cast<std::size_t>(call.group));
  const double bytes = double(call.bytes);
  std::vector<PhaseCost> costs;
  double launch = 0;
  for (const Phase& phase : collective_algorithm(call.algorithm).phases(call.kind, group.shape, bytes)) {
    const Crossed tiers_crossed = crossed(phase, group.shape);
    if (phase.rounds == 0 || (!tiers_crossed.within && !tiers_crossed.between)) continue;
    const Tiers tiers = tiers_of(topology, calibration, tiers_crossed);
    const EdgeCapacity& nominal = capacities.capacity(group, phase.scope);
    const double within = tiers.within ? nominal.within_node * tiers.within->efficiency.value : kUnlimited;
    const double between = tiers.between ? nominal.between_nodes * tiers.between->efficiency.value : kUnlimited;
    PhaseCost cost{phase, phase.rounds * slowest(tiers, &LinkCalibration::alpha_seconds), phase.bytes_per_edge};
    cost.size_factor = std::min(size_factor(tiers.within, bytes), size_factor(tiers.between, bytes));
    cost.edge_bandwidth = std::min(within, between) * cost.size_factor;
    launch = std::max(launch, slowest(tiers, &LinkCalibration::launch_seconds));
    costs.push_back(cost);
  }
  if (!costs.empty()) {
    costs.front().launch_seconds = launch;
    costs.front().delay_seconds += launch;
  }
  return costs;
}

std::vector<PhaseCost> collective_phases(const StepPlan& plan, const CollectiveCall& call, const Topology& topology,
                                         const Calibration& calibration) {
  CapacityTable capacities(topology);
  return collective_phases(plan, call, topology, calibration, capacities);
}

double collective_seconds(const StepPlan& plan, const CollectiveCall& call, const Topology& topology,
                          const Calibration& calibration, CapacityTable& capacities) {
  double seconds = 0;
  for (const PhaseCost& cost : collective_phases(plan, call, topology, calibration, capacities))
    seconds += cost.delay_seconds + cost.bytes_per_edge / cost.edge_bandwidth;
  return seconds;
}

double crowding_factor(const Topology& topology, const Calibration& calibration, int busy_devices) {
  if (topology.devices_per_node <= 1) return 1;
  const double share = double(std::min(busy_devices, topology.devices_per_node) - 1) / (topology.devices_per_node - 1);
  return 1 + (calibration.crowding.value - 1) * share;
}

WalkTimes walk_times(const StepPlan& plan, const Topology& topology, const Calibration& calibration,
                     CapacityTable& capacities) {
  const double crowding = crowding_factor(topology, calibration, plan.ranks);
  const double parallel = plan.ranks > 1 ? calibration.parallel_overhead_seconds.value : 0;
  WalkTimes times{{}, calibration.step_overhead_seconds.value + parallel, calibration.overlap_slowdown.value};
  for (const RankClass& cls : plan.classes) {
    std::vector<double>& seconds = times.op_seconds.emplace_back();
    seconds.reserve(cls.ops.size());
    for (const PlanOp& op : cls.ops)
      seconds.push_back(op.collective ? collective_seconds(plan, *op.collective, topology, calibration, capacities)
                                      : op_seconds(op, surroundings(cls, op), calibration) *
                                            (op.type == OpType::compute ? crowding : 1));
  }
  return times;
}

WalkTimes walk_times(const StepPlan& plan, const Topology& topology, const Calibration& calibration) {
  CapacityTable capacities(topology);
  return walk_times(plan, topology, calibration, capacities);
}

}  // namespace dtbench
