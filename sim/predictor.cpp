#include "sim/predictor.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "sim/flow/flow_simulator.h"
#include "sim/model/closed_form.h"
#include "sim/model/cost_model.h"
#include "sim/model/robust_statistics.h"
#include "sim/model/uncertainty.h"
#include "topologies/base/error.h"
#include "topologies/base/units.h"

namespace dtbench {

namespace {

constexpr double kLowQuantile = 0.05, kHighQuantile = 0.95;
/// What one published or measured throughput leaves open about the rates of other sizes.
constexpr double kAnchorLnSd = 0.05;

void check_fits(const StepPlan& plan, const Topology& topology) {
  if (plan.ranks > topology.devices())
    throw_bad_input({"plan", fmt::format("{} ranks", plan.ranks),
                     fmt::format("at most the {} devices of '{}'", topology.devices(), topology.spec), ""});
}

class ClosedFormSimulator : public StepRunner {
 public:
  ClosedFormSimulator(Topology topology, Calibration calibration)
      : topology_(std::move(topology)), calibration_(std::move(calibration)) {}
  std::string name() const override { return "closed-form"; }
  std::vector<StepTrace> run(const StepPlan& plan, int) override {
    check_fits(plan, topology_);
    return {closed_form_trace(WalkProgram(plan), walk_times(plan, topology_, calibration_))};
  }

 private:
  Topology topology_;
  Calibration calibration_;
};

/// Time of the class's rank that ops of a type are running, largest over ranks. They do not overlap on one stream.
double type_seconds(const StepPlan& plan, const StepTrace& trace, OpType type) {
  double most = 0;
  for (const RankTrace& rank : trace.ranks) {
    double seconds = 0;
    for (const OpSpan& span : rank.spans)
      if (plan.classes[rank.rank_class].ops[span.op].type == type) seconds += span.end_seconds - span.start_seconds;
    most = std::max(most, seconds);
  }
  return most;
}

/// Class of the link that the largest collective waits for.
std::string limiting_link(const StepPlan& plan, const Topology& topology, const Calibration& calibration) {
  CapacityTable capacities(topology);
  double slowest = -1;
  std::string link;
  for (const RankClass& cls : plan.classes)
    for (const PlanOp& op : cls.ops) {
      if (!op.collective) continue;
      for (const PhaseCost& phase : collective_phases(plan, *op.collective, topology, calibration, capacities)) {
        const double seconds = phase.delay_seconds + phase.bytes_per_edge / phase.edge_bandwidth;
        if (seconds <= slowest) continue;
        slowest = seconds;
        const bool inside = phase.phase.scope == Scope::within_node ||
                            plan.groups[static_cast<std::size_t>(op.collective->group)].shape.nodes == 1;
        link = inside ? topology.within_node.link_class : topology.between_nodes->link_class;
      }
    }
  return link;
}

Bottleneck bottleneck_of(const StepPlan& plan, const Topology& topology, const Calibration& calibration,
                         const Prediction& prediction) {
  const double step = prediction.step_seconds.value;
  const double exposed = prediction.exposed_communication_seconds.value;
  const double overhead = std::min(calibration.step_overhead_seconds.value, step);
  const bool prefetched = busy_seconds(plan, prediction.trace, Stream::host) > 0;
  const double waiting = std::max(0.0, step - prediction.compute_seconds - exposed - overhead);
  const double input = prefetched ? std::min(waiting, prediction.input_seconds) : prediction.input_seconds;
  const std::pair<const char*, double> parts[] = {
      {"compute", prediction.compute_seconds}, {"communication", exposed}, {"overhead", overhead}, {"input", input}};
  const auto& most = *std::max_element(std::begin(parts), std::end(parts),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
  const bool communication = most.second > 0 && most.second == exposed;
  return {most.first, communication ? limiting_link(plan, topology, calibration) : "",
          step > 0 ? std::min(1.0, most.second / step) : 0};
}

/// Samples move with the nominal value when that comes from another fidelity.
Interval interval(double nominal, std::vector<double> samples, const std::function<double(double)>& moved) {
  if (samples.empty()) return {nominal, nominal, nominal};
  for (double& sample : samples) sample = moved(sample);
  return {nominal, std::min(nominal, quantile(samples, kLowQuantile)),
          std::max(nominal, quantile(samples, kHighQuantile))};
}

bool less_trustworthy(Origin a, Origin b) { return static_cast<int>(a) > static_cast<int>(b); }

/// The least trustworthy of what prices this plan; small parameters of an otherwise measured calibration included.
Origin origin_of(const StepPlan& plan, const Topology& topology, const Calibration& calibration) {
  Origin worst = Origin::measured;
  const auto take = [&](Origin origin) { worst = less_trustworthy(origin, worst) ? origin : worst; };
  for (const RankClass& cls : plan.classes)
    for (const PlanOp& op : cls.ops) {
      if (op.collective) continue;
      const OpCalibration& entry = calibration.op(op.kind, op.arithmetic);
      take(entry.overhead_seconds.origin);
      if (entry.flop_rate) take(entry.flop_rate->origin);
      if (entry.byte_rate) take(entry.byte_rate->origin);
    }
  if (plan.ranks > 1) take(calibration.link(topology.within_node.link_class).efficiency.origin);
  if (plan.nodes > 1) take(calibration.link(topology.between_nodes->link_class).efficiency.origin);
  // "assumed" is a grade of a data sheet, never of a measured machine's small print.
  return worst == Origin::assumed && calibration.origin == Origin::data_sheet ? Origin::data_sheet : worst;
}

/// The calibration with all compute rates times `factor` and the overheads of compute divided by it.
Calibration scaled(const Calibration& calibration, double factor) {
  Calibration changed = calibration;
  for (auto& [key, op] : changed.ops) {
    if (key.starts_with("input/")) continue;
    op.overhead_seconds.value /= factor;
    for (std::optional<RateCurve>* curve : {&op.flop_rate, &op.byte_rate})
      if (*curve)
        for (RateCurve::Point& point : (*curve)->points) point.rate *= factor;
  }
  return changed;
}

}  // namespace

double predict_step_seconds(const StepPlan& plan, const Topology& topology, const Calibration& calibration) {
  check_fits(plan, topology);
  return closed_form_step_seconds(WalkProgram(plan), walk_times(plan, topology, calibration));
}

std::unique_ptr<StepRunner> make_simulator(const Topology& topology, const Calibration& calibration,
                                           Fidelity fidelity) {
  if (fidelity == Fidelity::closed_form) return std::make_unique<ClosedFormSimulator>(topology, calibration);
  FlowOptions options;
  options.message_level = fidelity == Fidelity::message;
  return make_flow_simulator(topology, calibration, options);
}

Prediction predict(const StepPlan& plan, const Topology& topology, const Calibration& calibration,
                   const PredictorOptions& options) {
  check_fits(plan, topology);
  const WalkProgram program(plan);
  CapacityTable capacities(topology);
  const auto played = [&](const Calibration& drawn) {
    return closed_form_trace(program, walk_times(plan, topology, drawn, capacities));
  };
  const StepTrace closed_form = played(calibration);
  Prediction prediction;
  prediction.trace = options.fidelity == Fidelity::closed_form
                         ? closed_form
                         : make_simulator(topology, calibration, options.fidelity)->run(plan, 1).front();
  const double step = prediction.trace.step_seconds, exposed = exposed_communication_seconds(plan, prediction.trace);
  std::vector<double> exposed_samples;
  for (int k = 0; k < options.samples; ++k) {
    const StepTrace trace = played(drawn_calibration(calibration, topology, options.seed, k));
    prediction.step_samples.push_back(trace.step_seconds * step / closed_form.step_seconds);
    exposed_samples.push_back(exposed_communication_seconds(plan, trace));
  }
  prediction.step_seconds = interval(step, prediction.step_samples, [](double sample) { return sample; });
  const double moved_by = exposed - exposed_communication_seconds(plan, closed_form);
  prediction.exposed_communication_seconds =
      interval(exposed, exposed_samples, [&](double sample) { return std::max(0.0, sample + moved_by); });
  prediction.compute_seconds = type_seconds(plan, prediction.trace, OpType::compute);
  prediction.communication_seconds = type_seconds(plan, prediction.trace, OpType::collective);
  prediction.input_seconds = type_seconds(plan, prediction.trace, OpType::host_transfer);
  prediction.origin = origin_of(plan, topology, calibration);
  prediction.bottleneck = bottleneck_of(plan, topology, calibration, prediction);
  return prediction;
}

Calibration anchored(const StepPlan& anchor_plan, const Topology& topology, const Calibration& calibration,
                     double anchor_samples_per_second) {
  if (!(anchor_samples_per_second > 0) || !std::isfinite(anchor_samples_per_second))
    throw_bad_input({"--anchor throughput", fmt::format("{}", anchor_samples_per_second), "a number > 0", ""});
  const double wanted = double(anchor_plan.global_batch) / anchor_samples_per_second;
  const WalkProgram program(anchor_plan);
  CapacityTable capacities(topology);
  const auto step_at = [&](double log_factor) {
    return closed_form_step_seconds(
        program, walk_times(anchor_plan, topology, scaled(calibration, std::exp(log_factor)), capacities));
  };
  constexpr double kMostLogFactor = 30;  // 1e13 times faster or slower than the data sheet is not an answer
  double slow = -kMostLogFactor, fast = kMostLogFactor;
  const double floor = step_at(fast);
  if (floor >= wanted)
    throw_bad_input({"--anchor throughput",
                     fmt::format("{} samples/s, a step of {}", anchor_samples_per_second, format_seconds(wanted)),
                     fmt::format("less than {:.6g} samples/s: communication, input and overhead alone take {}",
                                 double(anchor_plan.global_batch) / floor, format_seconds(floor)),
                     "check its devices, batch and unit, or the link's calibration"});
  for (int i = 0; i < 200 && fast - slow > 1e-15 * std::max(1.0, std::abs(slow)); ++i) {
    const double middle = slow + (fast - slow) / 2;
    (step_at(middle) > wanted ? slow : fast) = middle;
  }
  Calibration result = scaled(calibration, std::exp(slow + (fast - slow) / 2));
  const std::string source = fmt::format("anchor: {:.6g} samples/s on {} device(s), {}", anchor_samples_per_second,
                                         anchor_plan.ranks, anchor_plan.model);
  const auto pin = [&](auto& parameter) {
    parameter.origin = Origin::measured;
    parameter.source = source;
    parameter.ln_sd = std::min(parameter.ln_sd, kAnchorLnSd);
  };
  for (auto& [key, op] : result.ops) {
    if (key.starts_with("input/")) continue;
    pin(op.overhead_seconds);
    if (op.flop_rate) pin(*op.flop_rate);
    if (op.byte_rate) pin(*op.byte_rate);
  }
  result.name = calibration.name + ", anchored";
  return result;
}

}  // namespace dtbench
