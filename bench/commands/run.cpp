// dtbench run: ARCHITECTURE section 5, step by step.
#include <unistd.h>
#include <CLI/CLI.hpp>

#include "bench/closed_loop.h"
#include "bench/commands/command.h"
#include "bench/host.h"
#include "bench/options.h"
#include "bench/output.h"
#include "bench/phase_times.h"
#include "bench/run_findings.h"
#include "bench/study.h"
#include "engine/cpu/host_probe.h"
#include "reports/result_json.h"
#include "reports/terminal.h"

namespace dtbench {

namespace {

int run(const RunSpec& spec, const OutputOptions& output) {
  output.require_writable();
  PhaseTimes times;
  const TimeBudget budget(spec.time_budget_seconds);
  Progress progress(output.quiet);

  const auto probe = make_host_probe();
  const Topology topology = resolve_topology(spec, *probe);
  const auto planned = plan_points(spec, topology, device_counts(spec, topology.devices()));
  const auto described = machine_before_measuring(spec, topology);
  times.end("plan");
  const HostLoop host = run_on_host(spec, *probe, budget, progress);
  times.end("host");
  const Machine machine = machine_after_measuring(spec, described, host);
  auto points = predict_points(planned, machine, spec);
  adopt_measured(points, spec, host);
  times.end("predict");

  RunResult result{spec,
                   this_command(),
                   describe_environment(probe->facts()),
                   topology,
                   model_report(spec, planned.front().plan),
                   calibration_report(machine),
                   std::move(points),
                   host.report,
                   {},
                   times.seconds()};
  add_findings(result, machine, host, probe->facts());
  write_result(output, run_result_to_json_text(result), terminal_text(result, style_for(STDOUT_FILENO)));
  return static_cast<int>(exit_code(result.findings));
}

}  // namespace

std::function<int()> declare_run(CLI::App& app) {
  auto arguments = SpecArguments::declare(app, kMachineOptions | kWorkOptions | kModelSizeOptions | kScaleOptions |
                                                   kPredictionOptions | kAnchorOptions | kMeasureOptions |
                                                   kSeedOptions | kBudgetOptions | kThreadOptions);
  auto output = OutputOptions::declare(app);
  return [arguments, output] { return run(arguments->resolve(), *output); };
}

}  // namespace dtbench
