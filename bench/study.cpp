#include "bench/study.h"

#include <algorithm>

#include "engine/plan/models/model.h"
#include "reports/coverage.h"
#include "reports/memory_report.h"
#include "reports/scaling.h"
#include "sim/flow/flow_simulator.h"
#include "sim/predictor.h"

namespace dtbench {

namespace {

Predicted reported(const Interval& interval, Origin origin) {
  return {interval.value, interval.low, interval.high, origin};
}

/// A time without a band of its own: it is known as well as the step it is part of.
Predicted share_of(double seconds, const Interval& step, Origin origin) {
  return {seconds, seconds * std::min(1.0, step.low / step.value), seconds * std::max(1.0, step.high / step.value),
          origin};
}

const PlanOp* first_collective(const StepPlan& plan) {
  for (const RankClass& cls : plan.classes)
    for (const PlanOp& op : cls.ops)
      if (op.collective) return &op;
  return nullptr;
}

Point described(const PlannedPoint& planned, const Topology& topology) {
  Point point;
  point.devices = planned.devices;
  point.nodes = planned.plan.nodes;
  point.global_batch = planned.plan.global_batch;
  point.batch_per_replica = planned.plan.batch_per_replica;
  point.memory_bytes =
      memory_report(largest_memory(planned.plan), static_cast<std::int64_t>(topology.device.memory_bytes));
  if (const PlanOp* op = first_collective(planned.plan)) {
    point.collective_algorithm = op->collective->algorithm;
    point.collective_executed_by = op->collective->executed_by == ExecutedBy::library ? "library" : "schedule";
  }
  return point;
}

Point predicted(const PlannedPoint& planned, const Machine& machine, const Prediction& prediction) {
  Point point = described(planned, machine.topology);
  point.step_seconds.predicted = reported(prediction.step_seconds, prediction.origin);
  point.exposed_communication_seconds.predicted = reported(prediction.exposed_communication_seconds, prediction.origin);
  point.compute_seconds.predicted = share_of(prediction.compute_seconds, prediction.step_seconds, prediction.origin);
  point.input_seconds.predicted = share_of(prediction.input_seconds, prediction.step_seconds, prediction.origin);
  point.extrapolated_share = extrapolated_share(planned.plan, prediction.trace, machine.calibration);
  point.bottleneck = {prediction.bottleneck.kind, prediction.bottleneck.link, prediction.bottleneck.share};
  return point;
}

}  // namespace

double flops_of(const RankClass& cls) {
  double flops = 0;
  for (const PlanOp& op : cls.ops) flops += op.flops;
  return flops;
}

MemoryUse largest_memory(const StepPlan& plan) {
  const auto larger = [](const RankClass& a, const RankClass& b) { return a.memory.use.total < b.memory.use.total; };
  return std::max_element(plan.classes.begin(), plan.classes.end(), larger)->memory.use;
}

std::vector<PlannedPoint> plan_points(const RunSpec& spec, const Topology& topology, const std::vector<int>& counts) {
  if (spec.fidelity == Fidelity::message) require_message_level(*std::max_element(counts.begin(), counts.end()));
  const BackendTraits traits = traits_of(topology.device);
  std::vector<StepRequest> requests;
  RunSpec listed = spec;
  listed.devices = counts;  // so that a batch that does not divide is answered with one that divides at every count
  for (const int count : counts) requests.push_back(request_at(listed, count, topology.devices_per_node, traits));
  std::vector<PlannedPoint> planned;
  for (std::size_t i = 0; i < counts.size(); ++i) planned.push_back({counts[i], plan_step(requests[i])});
  return planned;
}

PredictedPoints predict_points(const std::vector<PlannedPoint>& planned, const Machine& machine, const RunSpec& spec) {
  PredictorOptions options;
  options.fidelity = spec.fidelity;
  options.seed = spec.seed;
  PredictedPoints result;
  for (const PlannedPoint& point : planned) {
    Prediction prediction = predict(point.plan, machine.topology, machine.calibration, options);
    result.points.push_back(predicted(point, machine, prediction));
    result.samples[point.devices] = std::move(prediction.step_samples);
    result.traces.push_back(std::move(prediction.trace));
  }
  derive_scaling(result.points, result.samples);
  return result;
}

ModelReport model_report(const RunSpec& spec, const StepPlan& plan) {
  return {spec.model, complete_options(spec.model, spec.model_options), plan.parameters, plan.forward_flops_per_sample,
          std::string(model_family(spec.model).sample_unit)};
}

}  // namespace dtbench
