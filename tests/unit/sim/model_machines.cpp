#include "tests/unit/sim/model_machines.h"

namespace dtbench::test {

Topology switched_machine(int nodes, int devices_per_node) {
  Topology topology;
  topology.spec = "test machine";
  topology.nodes = nodes;
  topology.devices_per_node = devices_per_node;
  topology.device.name = "test";
  topology.device.peak_flops[Arithmetic::float32] = 2e12;
  topology.device.memory_bandwidth = 2e11;
  topology.within_node.link_class = "switch";
  topology.within_node.bandwidth = 100e9;
  if (nodes > 1) {
    Tier tier;
    tier.link_class = "network";
    tier.wiring = Wiring::rails;
    tier.bandwidth = 10e9;
    tier.nics_per_node = devices_per_node;
    topology.between_nodes = tier;
  }
  return topology;
}

Calibration round_calibration() {
  Calibration calibration;
  calibration.name = "round numbers";
  calibration.device = "test";
  OpCalibration op;
  op.overhead_seconds = {1e-6, 0.1, Origin::measured, ""};
  op.flop_rate = RateCurve{{{1e3, 1e12}, {1e15, 1e12}}, 0.1, Origin::measured, ""};
  op.byte_rate = RateCurve{{{1e3, 1e11}, {1e12, 1e11}}, 0.1, Origin::measured, ""};
  calibration.ops["*/*"] = op;
  LinkCalibration link;
  link.launch_seconds = {10e-6, 0.2, Origin::measured, ""};
  link.alpha_seconds = {1e-6, 0.2, Origin::measured, ""};
  link.efficiency = {0.5, 0.2, Origin::measured, ""};
  calibration.links["*"] = link;
  calibration.overlap_slowdown = {0, 0, Origin::measured, ""};
  calibration.crowding = {1, 0, Origin::measured, ""};
  return calibration;
}

namespace {

PlanOp compute(PassKind pass, double flops, std::vector<Dependency> after) {
  PlanOp op;
  op.kind = "dense";
  op.pass = pass;
  op.flops = flops;
  op.after = std::move(after);
  return op;
}

PlanOp all_reduce(std::int64_t bytes, int nodes, OpId after) {
  PlanOp op;
  op.type = OpType::collective;
  op.kind = "all_reduce";
  op.pass = PassKind::backward;
  op.bytes = double(bytes);
  op.stream = Stream::communication;
  op.after = {{after}};
  op.collective = CollectiveCall{};
  op.collective->bytes = bytes;
  op.collective->algorithm = nodes > 1 ? "hierarchical" : "ring";
  return op;
}

}  // namespace

StepPlan layered_plan(int nodes, int devices_per_node, int layers, double flops, std::int64_t bytes) {
  StepPlan plan;
  plan.model = "layers";
  plan.ranks = plan.replicas = nodes * devices_per_node;
  plan.nodes = nodes;
  plan.batch_per_replica = 32;
  plan.global_batch = 32 * plan.ranks;
  RankClass& cls = plan.classes.emplace_back();
  cls.ranks = {{0, plan.ranks, 1}};
  for (int layer = 0; layer < layers; ++layer) cls.ops.push_back(compute(PassKind::forward, flops, {}));
  std::vector<Dependency> reduced;
  for (int layer = 0; layer < layers; ++layer) {
    cls.ops.push_back(compute(PassKind::backward, 2 * flops, {}));
    if (plan.ranks == 1) continue;
    cls.ops.push_back(all_reduce(bytes, nodes, OpId(cls.ops.size()) - 1));
    reduced.push_back({OpId(cls.ops.size()) - 1});
  }
  cls.ops.push_back(compute(PassKind::update, flops / 10, reduced));
  if (plan.ranks > 1) plan.groups.push_back({"data", {0, plan.ranks, 1}, 1, 0, {nodes, devices_per_node}});
  return plan;
}

}  // namespace dtbench::test
