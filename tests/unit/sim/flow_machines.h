// Small machines and plans with round numbers, so that times can be computed by hand.
#pragma once

#include <string>
#include <vector>

#include "engine/plan/step_plan.h"
#include "topologies/calibration.h"
#include "topologies/topology.h"

namespace dtbench::flow_test {

/// `nodes` nodes of `per_node` devices on a switch of 100 GB/s per device; one NIC of 10 GB/s per device between nodes.
inline Topology switched(int nodes, int per_node) {
  Topology topology;
  topology.spec = std::to_string(nodes) + "x" + std::to_string(per_node);
  topology.nodes = nodes;
  topology.devices_per_node = per_node;
  topology.within_node.link_class = "switch";
  topology.within_node.bandwidth = 100e9;
  if (nodes > 1) {
    topology.between_nodes.emplace();
    topology.between_nodes->link_class = "network";
    topology.between_nodes->wiring = Wiring::rails;
    topology.between_nodes->bandwidth = 10e9;
    topology.between_nodes->nics_per_node = per_node;
  }
  return topology;
}

/// Four devices at 16 GB/s, two to a switch whose uplink carries 16 GB/s too.
inline Topology pcie_tree() {
  Topology topology;
  topology.spec = "4xgpu";
  topology.devices_per_node = 4;
  topology.within_node.link_class = "pcie";
  topology.within_node.wiring = Wiring::pcie_tree;
  topology.within_node.bandwidth = 16e9;
  topology.within_node.pcie.devices_per_switch = 2;
  return topology;
}

inline Parameter exactly(double value) { return {value, 0, Origin::assumed, ""}; }

/// Every compute op takes 1 ms; links are as good as they claim to be and wait for nothing.
inline Calibration ideal() {
  Calibration calibration;
  calibration.name = "ideal";
  calibration.ops["*/*"].overhead_seconds = exactly(1e-3);
  calibration.links["*"] = {exactly(0), exactly(0), exactly(1), {}};
  calibration.crowding = exactly(1);
  calibration.overlap_slowdown = exactly(0);
  return calibration;
}

inline PlanOp compute() {
  PlanOp op;
  op.name = op.kind = "work";
  return op;
}

inline PlanOp all_reduce(std::int64_t bytes, int group = 0, std::string algorithm = "ring") {
  PlanOp op;
  op.name = op.kind = "all_reduce";
  op.type = OpType::collective;
  op.stream = Stream::communication;
  op.collective = CollectiveCall{CollectiveKind::all_reduce, group, kNoTensor, bytes, std::move(algorithm)};
  return op;
}

inline RankClass rank_class(RankSet ranks, std::vector<PlanOp> ops) {
  RankClass cls;
  cls.ranks = {ranks};
  cls.ops = std::move(ops);
  return cls;
}

/// All ranks compute for 1 ms, then reduce `bytes`; the next step waits for that.
inline StepPlan compute_then_reduce(GroupShape shape, std::int64_t bytes, std::string algorithm = "ring") {
  StepPlan plan;
  plan.ranks = shape.ranks();
  plan.nodes = shape.nodes;
  plan.groups = {{"data", {0, shape.ranks(), 1}, 1, 0, shape}};
  PlanOp work = compute(), reduce = all_reduce(bytes, 0, std::move(algorithm));
  work.after = {{1, 1, 0}};
  reduce.after = {{0, 0, 0}};
  plan.classes = {rank_class({0, shape.ranks(), 1}, {work, reduce})};
  return plan;
}

/// On the PCIe tree: ranks 0 and 2 reduce `first` bytes, ranks 1 and 3 `second`; both cross the uplinks.
inline StepPlan two_pairs(std::int64_t first, std::int64_t second) {
  StepPlan plan;
  plan.ranks = 4;
  plan.groups = {{"data", {0, 2, 2}, 1, 0, {1, 2}}, {"data", {1, 2, 2}, 1, 0, {1, 2}}};
  plan.classes = {rank_class({0, 2, 2}, {all_reduce(first, 0)}), rank_class({1, 2, 2}, {all_reduce(second, 1)})};
  return plan;
}

}  // namespace dtbench::flow_test
