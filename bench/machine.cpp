#include "bench/machine.h"

#include <fmt/core.h>

#include "engine/cpu/cpu_backend.h"
#include "engine/plan/models/model.h"
#include "engine/plan/plan_step.h"
#include "engine/plan/precision.h"
#include "sim/model/job_calibration.h"
#include "sim/predictor.h"
#include "topologies/base/error.h"
#include "topologies/base/suggest.h"
#include "topologies/topology_library.h"

namespace dtbench {

namespace {

/// As published jobs call it; "" for what has no counterpart there.
std::string task_of(const RunSpec& spec) {
  return model_family(spec.model).sample_unit == "images" ? "image classification" : "";
}

/// Computing is pinned by the anchor; for what it cannot tell, published jobs know more than data sheets. Nothing for a
/// machine that was measured, and for an anchor on several devices that is faster than published links and overheads
/// allow: it shows that they are not those of this machine.
std::optional<Calibration> pinned_with_published_jobs(const Machine& machine, const RunSpec& spec,
                                                      const StepPlan& plan) {
  if (machine.calibration.origin != Origin::data_sheet || machine.topology.device.kind != DeviceKind::gpu)
    return std::nullopt;
  const JobParameters jobs = job_parameters_from_json_file(shipped_job_parameters_file(data_directory()));
  const double anchor_step = double(plan.global_batch) / spec.anchor->throughput;
  const Calibration published =
      with_job_parameters(machine.calibration, machine.topology, jobs, task_of(spec), anchor_step);
  try {
    return anchored(plan, machine.topology, published, spec.anchor->throughput);
  } catch (const Error&) {
    if (plan.ranks == 1) throw;
    return std::nullopt;
  }
}

}  // namespace

void check_anchor(const RunSpec& spec, const Topology& topology) {
  if (!spec.anchor) return;
  const Anchor& anchor = *spec.anchor;
  const auto contradiction = [](const std::string& field, const std::string& found, const std::string& asked) {
    throw_bad_input({"--anchor", fmt::format("{}={} contradicts the request", field, found), asked, ""});
  };
  if (anchor.model && *anchor.model != spec.model) contradiction("model", *anchor.model, spec.model);
  if (anchor.precision && *anchor.precision != spec.precision)
    contradiction("precision", *anchor.precision, spec.precision);
  if (anchor.devices > topology.devices())
    contradiction("devices", std::to_string(anchor.devices),
                  fmt::format("at most the {} of {}", topology.devices(), topology.spec));
  const std::string unit = fmt::format("{}/s", model_family(spec.model).sample_unit);
  if (anchor.unit != unit && anchor.unit != "samples/s")
    contradiction("unit", anchor.unit, fmt::format("{} or samples/s for model {}", unit, spec.model));
}

void check_precision(const RunSpec& spec, const DeviceSpec& device) {
  const auto is_there = [&](const PrecisionPolicy& policy) {
    if (device.kind == DeviceKind::cpu) return policy.matrix != Arithmetic::tf32;
    return device.peak_flops.contains(policy.matrix);
  };
  if (is_there(precision_policy(spec.precision))) return;
  std::vector<std::string> names;
  for (const PrecisionPolicy& policy : precision_policies())
    if (is_there(policy)) names.emplace_back(policy.name);
  throw_bad_input({"--precision",
                   fmt::format("'{}', which {} does not compute", spec.precision,
                               device.kind == DeviceKind::cpu ? "this host" : device.name),
                   one_of(names), ""});
}

BackendTraits traits_of(const DeviceSpec& device) {
  if (device.kind == DeviceKind::cpu) return make_cpu_backend()->traits();
  BackendTraits traits;
  traits.name = "cuda";
  traits.prefetches_input = true;
  traits.collectives = ExecutedBy::library;
  traits.alignment_bytes = 256;
  return traits;
}

Machine described_machine(const RunSpec& spec, Topology topology) {
  check_precision(spec, topology.device);
  Machine machine{std::move(topology), {}, "shipped"};
  if (spec.calibration) {
    machine.calibration = calibration_from_json_file(*spec.calibration);
    machine.calibration_source = *spec.calibration;
  } else {
    machine.calibration = shipped_calibration(machine.topology, data_directory());
  }
  return pinned_by_anchor(std::move(machine), spec);
}

Machine pinned_by_anchor(Machine machine, const RunSpec& spec) {
  if (!spec.anchor) return machine;
  const Anchor& anchor = *spec.anchor;
  check_anchor(spec, machine.topology);
  RunSpec at_anchor = spec;
  if (anchor.batch_per_replica) {
    at_anchor.batch_per_replica = anchor.batch_per_replica;
    at_anchor.global_batch.reset();
  }
  const StepPlan plan = plan_step(
      request_at(at_anchor, anchor.devices, machine.topology.devices_per_node, traits_of(machine.topology.device)));
  if (const auto published = pinned_with_published_jobs(machine, spec, plan)) {
    machine.calibration = *published;
    machine.calibration_source += ", links and overheads of published jobs";
  } else {
    machine.calibration = anchored(plan, machine.topology, machine.calibration, anchor.throughput);
  }
  machine.calibration_source += ", pinned by --anchor";
  return machine;
}

CalibrationReport calibration_report(const Machine& machine) {
  CalibrationReport report{machine.calibration.name, machine.calibration_source, machine.calibration.origin,
                           machine.calibration.holdout_error, ""};
  if (!report.holdout_error) report.reason = "no measurement was left out of this calibration to check it";
  return report;
}

}  // namespace dtbench
