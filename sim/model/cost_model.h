// Seconds of one operation on one machine under one calibration: the numbers that every fidelity starts from.
#pragma once

#include <utility>
#include <vector>

#include "engine/collectives/schedule.h"
#include "engine/plan/step_plan.h"
#include "sim/model/step_walk.h"
#include "topologies/calibration.h"
#include "topologies/topology.h"

namespace dtbench {

/// Nominal bytes/s that each ring edge of a phase can have when nothing else runs, by the links that limit it.
/// Infinite where the phase crosses no link of the tier.
struct EdgeCapacity {
  double within_node = 0, between_nodes = 0;
};

/// Nominal capacities of a machine, remembered by group and scope. All nodes are equal, so two nodes stand for any
/// number, and all instances of the group that share a node run at once.
class CapacityTable {
 public:
  explicit CapacityTable(const Topology& topology) : topology_(topology) {}
  const EdgeCapacity& capacity(const Group& group, Scope scope);

 private:
  EdgeCapacity compute(const Group& group, Scope scope) const;

  struct Key {
    RankSet members;
    int instances, instance_stride, nodes, per_node;
    Scope scope;
    bool operator==(const Key&) const = default;
  };
  Topology topology_;
  std::vector<std::pair<Key, EdgeCapacity>> known_;  // a handful: searched in order
};

/// What the time of a call depends on beside its own FLOPs and bytes; 0 = unknown, then the factor for it is 1.
struct OpSurroundings {
  double width = 0;       ///< elements in the shortest row of the matrices that the op reads or writes
  double step_bytes = 0;  ///< memory that a whole step touches on the rank
};
OpSurroundings surroundings(const RankClass& cls, const PlanOp& op);

/// Compute ops and host transfers, without overlap slowdown and crowding.
double op_seconds(const PlanOp& op, const OpSurroundings& around, const Calibration& calibration);

/// One phase of a collective as both closed form and flow model see it.
struct PhaseCost {
  Phase phase;
  double delay_seconds = 0;  ///< launch (first phase only) + rounds * alpha
  double bytes_per_edge = 0;
  double launch_seconds = 0;  ///< the part of delay_seconds that is launch
  double edge_bandwidth = 0;  ///< effective bytes/s of the slowest ring edge, alone
  /// Factor on the efficiency of the links for a buffer of this size; edge_bandwidth holds it already. A flow over
  /// links of capacity nominal * efficiency carries bytes_per_edge / size_factor.
  double size_factor = 1;
};

/// Effective = nominal of the links on the edges' paths, shared among the edges of the phase that cross them, times the
/// efficiency of their class. Alpha, launch and size factor are those of the slowest tier crossed.
std::vector<PhaseCost> collective_phases(const StepPlan& plan, const CollectiveCall& call, const Topology& topology,
                                         const Calibration& calibration);
std::vector<PhaseCost> collective_phases(const StepPlan& plan, const CollectiveCall& call, const Topology& topology,
                                         const Calibration& calibration, CapacityTable& capacities);
double collective_seconds(const StepPlan& plan, const CollectiveCall& call, const Topology& topology,
                          const Calibration& calibration, CapacityTable& capacities);

/// Factor on compute time with this many devices of a node busy: 1 for one, `crowding` for all, linear between.
double crowding_factor(const Topology& topology, const Calibration& calibration, int busy_devices);

/// Times of all ops of a plan for a StepWalk, crowding included; a collective's is its time alone.
WalkTimes walk_times(const StepPlan& plan, const Topology& topology, const Calibration& calibration,
                     CapacityTable& capacities);
WalkTimes walk_times(const StepPlan& plan, const Topology& topology, const Calibration& calibration);

}  // namespace dtbench
