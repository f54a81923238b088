// Closed form, flows and messages are three ways to price the same plan. Without contention they must agree.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "engine/plan/plan_step.h"
#include "sim/flow/flow_simulator.h"
#include "sim/model/closed_form.h"
#include "sim/model/cost_model.h"
#include "sim/model/phase_links.h"
#include "topologies/topology_graph.h"
#include "topologies/topology_library.h"

namespace dtbench {
namespace {

class NoHost : public HostProbe {
 public:
  HostFacts facts() const override { return {}; }
};

struct Machine {
  std::string spelling;
  std::vector<int> ranks;
};

// One node with a switch, a mesh with several rings, a PCIe tree with shared uplinks, and several nodes.
std::vector<Machine> machines() {
  return {{"8xA100", {1, 2, 3, 4, 8}}, {"8xV100@dgx1", {1, 2, 3, 4, 8}}, {"8xRTX3090@pcie", {1, 2, 3, 4, 8}},
          {"2x8xA100", {16}},          {"2x8xV100@dgx1", {16}},          {"8x8xA100", {64}}};
}

struct Case {
  std::string machine, collective;
  int ranks = 1, buckets = 1;
  bool large = false;
};

std::string describe(const Case& c) {
  return c.machine + " " + c.collective + " ranks " + std::to_string(c.ranks) + " buckets " +
         std::to_string(c.buckets) + (c.large ? " large" : " small");
}

void PrintTo(const Case& c, std::ostream* out) { *out << describe(c); }

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const Machine& machine : machines())
    for (const int ranks : machine.ranks)
      for (const char* collective : {"ring", "hierarchical"})
        for (const int buckets : {1, 5, 50})
          for (const bool large : {false, true})
            if (ranks > 8 || std::string(collective) == "ring")
              all.push_back({machine.spelling, collective, ranks, buckets, large});
  return all;
}

constexpr int kLayers = 24;  // with the output layer 25 weights and 25 biases: 50 gradients
constexpr std::int64_t kInputs = 784;

/// Sizes chosen so that the gradients fall into 1, 5 or 50 buckets.
std::int64_t bucket_bytes(int buckets, std::int64_t hidden) {
  const std::int64_t layer = hidden * (hidden + 1) * 4;
  const std::int64_t all = (kLayers - 1) * layer + kInputs * hidden * 4;
  return buckets == 50 ? 1 : buckets == 5 ? all / 5 + layer : 2 * all;
}

StepPlan plan_of(const Case& c, const Topology& topology) {
  const std::int64_t hidden = c.large ? 4096 : 256;
  StepRequest request;
  request.model_options = {{"hidden", hidden}, {"layers", kLayers}, {"inputs", kInputs}};
  request.batch_per_replica = 32;
  request.replicas = c.ranks;
  request.shape = {(c.ranks + topology.devices_per_node - 1) / topology.devices_per_node,
                   std::min(c.ranks, topology.devices_per_node)};
  request.strategy = c.ranks == 1 ? "single" : "mirrored";
  request.collective = c.collective;
  request.bucket_bytes = bucket_bytes(c.buckets, hidden);
  return plan_step(request);
}

int collectives_in(const StepPlan& plan) {
  return int(std::count_if(plan.classes[0].ops.begin(), plan.classes[0].ops.end(),
                           [](const PlanOp& op) { return op.collective.has_value(); }));
}

double duration(const StepTrace& trace, std::size_t op) {
  const OpSpan& span = trace.ranks[0].spans[op];
  return span.end_seconds - span.start_seconds;
}

/// Largest relative difference of the step and of the time of any collective; kept in the test's report
/// (--gtest_output=json).
double difference(const StepPlan& plan, const StepTrace& a, const StepTrace& b) {
  double largest = std::abs(a.step_seconds / b.step_seconds - 1);
  for (std::size_t op = 0; op < plan.classes[0].ops.size(); ++op)
    if (plan.classes[0].ops[op].collective)
      largest = std::max(largest, std::abs(duration(a, op) / duration(b, op) - 1));
  testing::Test::RecordProperty("difference", fmt::format("{:.3g}", largest));
  return largest;
}

constexpr double kRounding = 1e-8;  // payloads are whole 1/1024 bytes

class FidelityAgreement : public testing::TestWithParam<Case> {
 protected:
  Topology topology_ = TopologyLibrary().resolve(GetParam().machine, NoHost());
  Calibration calibration_ = shipped_calibration(topology_, data_directory());
  StepPlan plan_ = plan_of(GetParam(), topology_);

  StepTrace closed_form() const {
    const WalkProgram program(plan_);
    const WalkTimes times = walk_times(plan_, topology_, calibration_);
    return closed_form_trace(program, times);
  }
  StepTrace simulated(FlowOptions options) const {
    return make_flow_simulator(topology_, calibration_, options)->run(plan_, 1).at(0);
  }
  bool too_many_messages() const { return GetParam().ranks > 16 && GetParam().buckets > 5; }
  double chunk_rounding_seconds(const CollectiveCall& call) const {
    const TopologyGraph graph(topology_);
    const Group& group = plan_.groups[0];
    const auto rings =
        double(ring_orders(graph, group_ranks(group, 0), group.shape, topology_.devices_per_node).size());
    if (call.bytes % (std::int64_t(rings) * group.shape.ranks()) == 0) return 0;
    double seconds = 0;
    for (const PhaseCost& phase : collective_phases(plan_, call, topology_, calibration_))
      seconds += phase.phase.rounds * rings / phase.edge_bandwidth;
    return seconds;
  }
  void use_overlap_features() {
    calibration_.overlap_slowdown.value = 0.3;
    calibration_.crowding.value = 1.4;
    calibration_.step_overhead_seconds.value = 1e-3;
  }
};

TEST_P(FidelityAgreement, PlansTheBucketsAskedFor) {
  EXPECT_EQ(collectives_in(plan_), GetParam().ranks == 1 ? 0 : GetParam().buckets);
}

TEST_P(FidelityAgreement, FlowEqualsClosedForm) {
  EXPECT_LT(difference(plan_, simulated({}), closed_form()), kRounding);
}

TEST_P(FidelityAgreement, FlowEqualsClosedFormWithOverlapSlowdownCrowdingAndOverhead) {
  const double without = closed_form().step_seconds;
  use_overlap_features();
  EXPECT_GT(closed_form().step_seconds, without);
  EXPECT_LT(difference(plan_, simulated({}), closed_form()), kRounding);
}

TEST_P(FidelityAgreement, MessagesEqualFlow) {
  if (too_many_messages()) GTEST_SKIP() << "1.6 million messages";
  EXPECT_LT(difference(plan_, simulated({.message_level = true}), simulated({})), 1e-3);
}

// A round lasts as long as its largest chunk, which is whole bytes: up to 1 byte on each ring more than the mean.
TEST_P(FidelityAgreement, MessagesDifferFromFlowByTheRoundingOfChunksOnly) {
  if (too_many_messages()) GTEST_SKIP() << "1.6 million messages";
  const StepTrace messages = simulated({.message_level = true}), flow = simulated({});
  for (std::size_t op = 0; op < plan_.classes[0].ops.size(); ++op) {
    const PlanOp& call = plan_.classes[0].ops[op];
    if (!call.collective) continue;
    const double more = duration(messages, op) - duration(flow, op), rounding = kRounding * duration(flow, op);
    EXPECT_GT(more, -rounding) << call.name;
    EXPECT_LT(more, chunk_rounding_seconds(*call.collective) + rounding) << call.name;
  }
}

TEST_P(FidelityAgreement, ReducedEqualsFull) {
  EXPECT_LT(difference(plan_, simulated({}), simulated({.reduce_symmetry = false})), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Product, FidelityAgreement, testing::ValuesIn(cases()));

}  // namespace
}  // namespace dtbench
