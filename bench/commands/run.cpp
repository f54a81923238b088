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
#include "bench/timeline.h"
#include "engine/cpu/host_probe.h"
#include "reports/result_json.h"
#include "reports/terminal.h"
#include "topologies/base/json_reader.h"

namespace dtbench {

namespace {

struct RunOutput {
  std::shared_ptr<OutputOptions> result;
  std::optional<std::string> trace;
  bool explain = false;
};

int run(const RunSpec& spec, const RunOutput& output) {
  output.result->require_writable();
  if (output.trace) require_writable(*output.trace, "--trace");
  require_distinct({{"--topology", spec.topology},
                    {"--calibration", spec.calibration.value_or("")},
                    {"--json", output.result->json.value_or("")},
                    {"--trace", output.trace.value_or("")}});
  PhaseTimes times;
  const TimeBudget budget(spec.time_budget_seconds);
  Progress progress(output.result->quiet);

  const auto probe = make_host_probe();
  const Topology topology = resolve_topology(spec, *probe);
  const auto planned = plan_points(spec, topology, device_counts(spec, topology.devices()));
  const auto described = machine_before_measuring(spec, topology);
  times.end("plan");
  const HostLoop host = run_on_host(spec, *probe, budget, progress);
  times.end("host");
  const Machine machine = machine_after_measuring(spec, described, host);
  PredictedPoints predicted = predict_points(planned, machine, spec);
  adopt_measured(predicted, spec, host);
  times.end("predict");

  RunResult result{spec,
                   this_command(),
                   describe_environment(probe->facts()),
                   topology,
                   model_report(spec, planned.front().plan),
                   calibration_report(machine),
                   predicted.points,
                   host.report,
                   {},
                   times.seconds()};
  add_findings(result, machine, host, probe->facts());
  const TextStyle style = style_for(STDOUT_FILENO);
  std::string screen = terminal_text(result, style);
  if (output.explain) screen += explained(planned, predicted, style);
  if (output.trace) write_file_atomically(*output.trace, timeline(planned, predicted, host));
  progress.finish();
  write_result(*output.result, run_result_to_json_text(result), screen);
  return static_cast<int>(exit_code(result.findings));
}

}  // namespace

std::function<int()> declare_run(CLI::App& app) {
  auto arguments = SpecArguments::declare(app, kMachineOptions | kWorkOptions | kModelSizeOptions | kScaleOptions |
                                                   kPredictionOptions | kAnchorOptions | kMeasureOptions |
                                                   kSeedOptions | kBudgetOptions | kThreadOptions);
  auto output = std::make_shared<RunOutput>();
  output->result = OutputOptions::declare(app);
  app.add_option_function<std::string>(
         "--trace", [output](const std::string& text) { output->trace = text; },
         "timeline of the predicted and measured steps for Perfetto")
      ->type_name("FILE");
  app.add_flag("--explain", output->explain, "where the time of a step goes, term by term");
  return [arguments, output] { return run(arguments->resolve(), *output); };
}

}  // namespace dtbench
