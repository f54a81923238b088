// dtbench calibrate: measure this host, fit, write the calibration.
#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>

#include "bench/calibration_text.h"
#include "bench/commands/command.h"
#include "bench/environment.h"
#include "bench/host.h"
#include "bench/host_calibration.h"
#include "bench/host_sizes.h"
#include "bench/options.h"
#include "engine/cpu/host_probe.h"
#include "topologies/base/error.h"
#include "topologies/base/json_reader.h"

namespace dtbench {

namespace {

constexpr double kCalibrateBudget = 120;

/// Every model that a host has sizes of, in the precisions that a CPU is faster or slower in.
WorkScope whole_scope() {
  WorkScope scope;
  scope.models.clear();
  scope.precisions = {"float32", "mixed_bfloat16"};
  for (const HostSizes& row : host_sizes()) scope.models.emplace_back(row.model);
  return scope;
}

int calibrate(const RunSpec& spec, WorkScope scope, const std::string& path, bool quiet) {
  require_writable(path, "-o");
  if (spec.topology != kHost)
    throw_bad_input({"--topology", fmt::format("'{}' cannot be measured here", spec.topology), "host", ""});
  const TimeBudget budget(spec.time_budget_seconds);
  Progress progress(quiet);
  const auto probe = make_host_probe();
  HostCalibrationRequest request = host_calibration_request(spec, *probe);
  scope.replicas = request.grid.scope.replicas;
  request.grid.scope = std::move(scope);
  const DisturbanceWatch watch;
  Calibration calibration = fit_host(request, sample_host(request, budget, progress).samples);
  const DisturbanceWatch::Report disturbance = watch.report();
  record_disturbance(calibration.conditions, disturbance);
  write_file_atomically(path, calibration_to_json_text(calibration));
  progress.finish();
  if (!quiet) fmt::print("{}written to {}\n", calibration_text(calibration, style_for(STDOUT_FILENO)), path);
  if (disturbance.disturbed) fmt::print(stderr, "dtbench: warning: the machine was not quiet; calibrate again\n");
  return static_cast<int>(ExitCode::good);
}

}  // namespace

std::function<int()> declare_calibrate(CLI::App& app) {
  auto arguments = SpecArguments::declare(app, kMachineOptions | kBudgetOptions | kThreadOptions | kSeedOptions);
  auto scope = declare_work_scope(app, whole_scope());
  auto path = std::make_shared<std::string>();
  auto quiet = std::make_shared<bool>(false);
  app.add_option("-o,--output", *path, "calibration file to write")->required()->type_name("FILE");
  app.add_flag("--quiet", *quiet, "no table and no progress");
  return [arguments, scope, path, quiet] {
    RunSpec defaults;
    defaults.time_budget_seconds = kCalibrateBudget;
    return calibrate(arguments->resolve(defaults), *scope, *path, *quiet);
  };
}

}  // namespace dtbench
