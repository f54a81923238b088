#include "bench/run_findings.h"

#include <fmt/core.h>

#include <algorithm>

#include "bench/host.h"
#include "engine/cpu/onednn_support.h"
#include "engine/plan/precision.h"
#include "reports/findings.h"

namespace dtbench {

namespace {

int rank_of(const Finding& finding) { return finding.severity == "error" ? 0 : finding.severity == "warning" ? 1 : 2; }

Finding disturbed(const DisturbanceWatch::Report& report) {
  return {"disturbed-machine",
          "warning",
          fmt::format("While measuring, other work took {:.0f} % of this machine and its hypervisor {:.0f} %: measure "
                      "again when it is quiet.",
                      100 * report.other_load_fraction, 100 * report.steal_fraction),
          {{"other_load_fraction", report.other_load_fraction}, {"steal_fraction", report.steal_fraction}}};
}

Finding of_another_device(const Machine& machine) {
  return {"calibration-of-another-device",
          "warning",
          fmt::format("Calibration '{}' was made for {}, the topology has {}: use one of the same device.",
                      machine.calibration.name, machine.calibration.device, machine.topology.device.name),
          {}};
}

// The gain that is measured then is none, and says nothing of a machine that has the instructions.
Finding through_float32(const std::string& precision) {
  return {"precision-through-float32",
          "info",
          fmt::format("This processor has no {} products: the measured steps of {} multiply float32 copies and take longer than "
                      "float32.",
                      name_of(precision_policy(precision).storage), precision),
          {}};
}

}  // namespace

void add_findings(RunResult& result, const Machine& machine, const HostLoop& host, const HostFacts& facts) {
  result.findings = find_findings(result);
  auto& findings = result.findings;
  if (host.disturbance) {
    record_disturbance(result.environment, *host.disturbance);
    if (host.disturbance->disturbed) findings.push_back(disturbed(*host.disturbance));
  }
  if (host.report.median_abs_error && !onednn_computes(precision_policy(result.spec.precision).storage))
    findings.push_back(through_float32(result.spec.precision));
  if (!host.reduced.empty())
    findings.push_back({"closed-loop-reduced", "info", "The closed loop was " + host.reduced + ".", {}});
  if (!machine.calibration.device.empty() && machine.calibration.device != machine.topology.device.name)
    findings.push_back(of_another_device(machine));
  if (result.spec.topology == kHost && result.spec.calibration) {
    const auto conditions = host_conditions(facts, threads_per_replica(result.spec, facts));
    const auto differing = condition_findings(machine.calibration, conditions);
    findings.insert(findings.end(), differing.begin(), differing.end());
  }
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return rank_of(a) < rank_of(b); });
}

ExitCode exit_code(const std::vector<Finding>& findings) {
  const auto is_error = [](const Finding& finding) { return finding.severity == "error"; };
  return std::any_of(findings.begin(), findings.end(), is_error) ? ExitCode::regressed : ExitCode::good;
}

}  // namespace dtbench
