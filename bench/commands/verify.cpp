// dtbench verify: calibrate on some sizes, predict others, measure those, compare.
#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>

#include "bench/commands/command.h"
#include "bench/environment.h"
#include "bench/host.h"
#include "bench/host_calibration.h"
#include "bench/options.h"
#include "bench/output.h"
#include "bench/phase_times.h"
#include "bench/verification.h"
#include "engine/cpu/host_probe.h"
#include "reports/terminal.h"
#include "reports/verify_json.h"
#include "topologies/base/error.h"
#include "topologies/base/units.h"

namespace dtbench {

namespace {

constexpr double kVerifyBudget = 60, kCalibrationShare = 0.5, kTolerance = 0.15;

double tolerance_of(const std::string& text) {
  const double tolerance = parse_number(text, "--tolerance");
  if (tolerance <= 0) throw_bad_input({"--tolerance", text, "a share above 0, such as 0.15", ""});
  return tolerance;
}

int verify(const RunSpec& spec, WorkScope scope, double tolerance, const OutputOptions& output) {
  output.require_writable();
  PhaseTimes times;
  const TimeBudget budget(spec.time_budget_seconds);
  Progress progress(output.quiet);
  const auto probe = make_host_probe();
  HostCalibrationRequest request = host_calibration_request(spec, *probe);
  scope.replicas = request.grid.scope.replicas;
  request.grid.scope = scope;
  request.grid.excluded = verification_sizes(scope);
  const VerifyWork work = plan_verification(spec, request.topology, scope);
  const CalibratedHost calibrated = calibrated_host(spec, request, budget.part(kCalibrationShare), progress);
  const Machine& host = calibrated.machine;
  times.end("calibrate");
  VerifyResult result{spec, this_command(), describe_environment(request.facts), calibration_report(host),
                      predict_rows(work, host, spec), {}};
  times.end("predict");
  EngineOptions engine;
  engine.threads_per_replica = request.threads_per_replica;
  engine.seed = spec.seed;
  const ControlWork controls = plan_controls(calibrated.steps, request.asked);
  const CpuMeasurement measurement =
      measure_on_cpu(trials_of(controls, work, result.rows), engine, budget, progress);
  times.end("measure");
  record_disturbance(result.environment, measurement.disturbance);
  const auto first_row = measurement.results.begin() + static_cast<std::ptrdiff_t>(controls.steps.size());
  result.controls = measured_controls(controls, {measurement.results.begin(), first_row});
  const int dropped = measure_rows(result.rows, {first_row, measurement.results.end()});
  progress.finish();
  if (dropped > 0) fmt::print(stderr, "dtbench: warning: no time was left for {} of the sizes\n", dropped);
  if (result.rows.empty())
    throw Error(ExitCode::run_failed, {"--time-budget", "nothing could be measured", "", "give more time"});
  result.tolerance = tolerance;
  summarise(result);
  result.timing_of_dtbench = times.seconds();
  write_result(output, verify_result_to_json_text(result), terminal_text(result, style_for(STDOUT_FILENO)));
  return static_cast<int>(result.passed ? ExitCode::good : ExitCode::regressed);
}

}  // namespace

std::function<int()> declare_verify(CLI::App& app) {
  auto arguments =
      SpecArguments::declare(app, kScaleOptions | kPredictionOptions | kSeedOptions | kBudgetOptions | kThreadOptions);
  auto output = OutputOptions::declare(app);
  auto scope = declare_work_scope(app, {});
  auto tolerance = std::make_shared<std::string>();
  app.add_option("--tolerance", *tolerance, "largest median error for exit status 0 (0.15)")->type_name("SHARE");
  return [arguments, output, scope, tolerance] {
    RunSpec defaults;
    defaults.time_budget_seconds = kVerifyBudget;
    return verify(arguments->resolve(defaults), *scope, tolerance->empty() ? kTolerance : tolerance_of(*tolerance),
                  *output);
  };
}

}  // namespace dtbench
