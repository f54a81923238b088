// Real plans on described machines: what the predictor says must fit the plan it was given.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "engine/plan/op_rule.h"
#include "engine/plan/plan_step.h"
#include "sim/model/cost_model.h"
#include "sim/predictor.h"
#include "topologies/topology_library.h"

namespace dtbench {
namespace {

class NoHost : public HostProbe {
 public:
  HostFacts facts() const override { return {}; }
};

Topology machine(const std::string& spelling) { return TopologyLibrary().resolve(spelling, NoHost()); }

Calibration shipped(const Topology& topology) { return shipped_calibration(topology, data_directory()); }

StepPlan mlp(const Topology& topology, int devices, std::int64_t bucket_bytes = 25'000'000) {
  StepRequest request;
  request.model_options = {{"hidden", 2048}, {"layers", 6}};
  request.batch_per_replica = 256;
  request.replicas = devices;
  request.strategy = devices == 1 ? "single" : "mirrored";
  const int per_node = std::min(devices, topology.devices_per_node);
  request.shape = {devices / per_node, per_node};
  request.bucket_bytes = bucket_bytes;
  request.traits.name = "gpu";
  request.traits.prefetches_input = true;
  return plan_step(request);
}

const std::vector<std::string>& spellings() {
  static const std::vector<std::string> all = {"8xA100", "8xV100@dgx1", "8xRTX3090@pcie", "4x8xH100", "8xK80"};
  return all;
}

TEST(DataSheet, PricesEveryKindOfOperation) {
  for (const std::string& name : TopologyLibrary().device_names()) {
    Topology topology = machine("8xA100");
    topology.device = TopologyLibrary().device(name);
    const Calibration calibration = shipped(topology);
    // Gaudi2 publishes no float32 rate: a rate that is not there is refused, not guessed.
    const bool has_float32 = topology.device.peak_flops.contains(Arithmetic::float32);
    const Arithmetic arithmetic = has_float32 ? Arithmetic::float32 : Arithmetic::bfloat16;
    for (const OpRule& rule : op_rules())
      EXPECT_NO_THROW(calibration.op(rule.kind, arithmetic)) << name << ' ' << rule.kind;
    EXPECT_NO_THROW(calibration.op("input", Arithmetic::float32)) << name;
  }
}

TEST(Prediction, OneDeviceDoesNotCommunicate) {
  for (const std::string& spelling : spellings()) {
    const Topology topology = machine(spelling);
    const Prediction prediction = predict(mlp(topology, 1), topology, shipped(topology));
    EXPECT_EQ(prediction.communication_seconds, 0) << spelling;
    EXPECT_EQ(prediction.exposed_communication_seconds.high, 0) << spelling;
    EXPECT_GT(prediction.step_seconds.low, 0) << spelling;
  }
}

TEST(Prediction, WeakScalingLosesAndNeverGains) {
  for (const std::string& spelling : spellings()) {
    const Topology topology = machine(spelling);
    const Calibration calibration = shipped(topology);
    const double alone = predict_step_seconds(mlp(topology, 1), topology, calibration);
    for (int devices = 2; devices <= topology.devices(); devices *= 2) {
      const double efficiency = alone / predict_step_seconds(mlp(topology, devices), topology, calibration);
      EXPECT_GT(efficiency, 0) << spelling << ' ' << devices;
      EXPECT_LE(efficiency, 1) << spelling << ' ' << devices;
    }
  }
}

TEST(Prediction, NoDrawScalesBetterThanLinearly) {
  for (const std::string& spelling : spellings()) {
    const Topology topology = machine(spelling);
    const Calibration calibration = shipped(topology);
    const auto alone = predict(mlp(topology, 1), topology, calibration).step_samples;
    const auto all = predict(mlp(topology, topology.devices()), topology, calibration).step_samples;
    for (std::size_t k = 0; k < alone.size(); ++k) EXPECT_GE(all[k], alone[k]) << spelling << " draw " << k;
  }
}

TEST(Prediction, NoCollectiveIsFasterThanItsWires) {
  for (const std::string& spelling : spellings()) {
    const Topology topology = machine(spelling);
    const StepPlan plan = mlp(topology, topology.devices());
    const WalkTimes times = walk_times(plan, topology, shipped(topology));
    double lanes = 1;  // links of one device, together
    for (const MeshEdge& edge : topology.within_node.mesh) lanes += edge.a == 0 || edge.b == 0 ? edge.lanes : 0;
    for (std::size_t op = 0; op < plan.classes[0].ops.size(); ++op) {
      const auto& call = plan.classes[0].ops[op].collective;
      if (!call) continue;
      // Every device must send nearly its whole buffer at least once, whatever the algorithm.
      EXPECT_GT(times.op_seconds[0][op], double(call->bytes) / 2 / (lanes * topology.within_node.bandwidth))
          << spelling << ' ' << plan.classes[0].ops[op].name;
    }
  }
}

TEST(Prediction, EveryOperationOfThePlanHasItsSpanInOrder) {
  const Topology topology = machine("4x8xH100");
  const StepPlan plan = mlp(topology, 32, 4'000'000);
  const Prediction prediction = predict(plan, topology, shipped(topology));
  ASSERT_EQ(prediction.trace.ranks.size(), plan.classes.size());
  const auto& spans = prediction.trace.ranks[0].spans;
  ASSERT_EQ(spans.size(), plan.classes[0].ops.size());
  for (std::size_t op = 0; op < spans.size(); ++op) {
    EXPECT_EQ(spans[op].op, int(op));
    EXPECT_GE(spans[op].start_seconds, 0);
    EXPECT_GT(spans[op].end_seconds, spans[op].start_seconds) << plan.classes[0].ops[op].name;
    for (const Dependency& dependency : plan.classes[0].ops[op].after) {
      if (dependency.step_distance != 0) continue;
      EXPECT_GE(spans[op].start_seconds, spans[static_cast<std::size_t>(dependency.op)].end_seconds - 1e-12)
          << plan.classes[0].ops[op].name;
    }
  }
}

TEST(Prediction, ManyNodesCostNoMoreToPredictAndTheirShapeMatters) {
  // The same plan of 65,536 devices on faster links is never slower.
  Topology topology = machine("8192x8xA100");
  const StepPlan plan = mlp(topology, 65536);
  const double step = predict_step_seconds(plan, topology, shipped(topology));
  topology.between_nodes->bandwidth *= 2;
  EXPECT_LT(predict_step_seconds(plan, topology, shipped(topology)), step);
}

TEST(Anchored, CarriesAMeasurementThroughTheCommunication) {
  const Topology topology = machine("8xA100");
  const StepPlan plan = mlp(topology, 8);
  const Calibration calibration = shipped(topology);
  const double predicted = double(plan.global_batch) / predict_step_seconds(plan, topology, calibration);
  for (const double part : {0.1, 0.6, 0.95}) {
    const Calibration pinned = anchored(plan, topology, calibration, part * predicted);
    EXPECT_NEAR(double(plan.global_batch) / predict_step_seconds(plan, topology, pinned) / (part * predicted), 1, 1e-9);
    // What was measured is known: the band of the anchor's own plan is narrower than the data sheet's.
    const Interval before = predict(plan, topology, calibration).step_seconds;
    const Interval after = predict(plan, topology, pinned).step_seconds;
    EXPECT_LT((after.high - after.low) / after.value, (before.high - before.low) / before.value) << part;
  }
}

}  // namespace
}  // namespace dtbench
