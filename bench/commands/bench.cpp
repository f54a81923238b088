// dtbench bench engine: how fast the engine trains on this host, as metrics with raw repetitions.
#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>

#include "bench/commands/command.h"
#include "bench/engine_benchmark.h"
#include "bench/options.h"
#include "bench/output.h"
#include "bench/phase_times.h"
#include "engine/cpu/host_probe.h"
#include "reports/bench_json.h"
#include "reports/terminal.h"
#include "topologies/base/error.h"
#include "topologies/base/units.h"

namespace dtbench {

namespace {

constexpr double kBenchBudget = 60;
constexpr int kRepetitions = 7, kMostRepetitions = 1000;

struct EngineArguments {
  std::shared_ptr<SpecArguments> spec;
  std::shared_ptr<WorkScope> scope;
  std::shared_ptr<OutputOptions> output;
  std::string layouts, repetitions;
};

int repetitions_of(const std::string& text) {
  const std::int64_t count = parse_integer(text, "--repetitions", 1);
  if (count > kMostRepetitions)
    throw_bad_input({"--repetitions", text, fmt::format("a whole number from 1 to {}", kMostRepetitions), ""});
  return static_cast<int>(count);
}

EngineBenchmark request_of(const EngineArguments& arguments, const RunSpec& spec, int cores) {
  if (!spec.model_options.empty() && arguments.scope->models.size() > 1)
    throw_bad_input({"--" + spec.model_options.begin()->first, "given with several models", "one --model", ""});
  EngineBenchmark request{*arguments.scope, spec.model_options, spec.batch_per_replica, default_layouts(cores),
                          kRepetitions,     spec.seed};
  if (!arguments.layouts.empty()) request.layouts = parse_layouts(arguments.layouts, cores, "--layout");
  if (!arguments.repetitions.empty()) request.repetitions = repetitions_of(arguments.repetitions);
  return request;
}

RunSpec spec_of_arguments(const EngineArguments& arguments) {
  RunSpec defaults;
  defaults.time_budget_seconds = kBenchBudget;
  defaults.model = arguments.scope->models.front();
  return arguments.spec->resolve(defaults);
}

int bench_engine(const EngineArguments& arguments) {
  arguments.output->require_writable();
  PhaseTimes times;
  const RunSpec spec = spec_of_arguments(arguments);
  const TimeBudget budget(spec.time_budget_seconds);
  Progress progress(arguments.output->quiet);
  const HostFacts facts = make_host_probe()->facts();
  const EngineBenchmark request = request_of(arguments, spec, facts.cores);
  const EngineBenchmarkReport report = benchmark_engine(request, facts, budget, progress);
  times.end("measure");
  progress.finish();
  for (const std::string& name : report.left_out)
    fmt::print(stderr, "dtbench: warning: no time was left for {}\n", name);
  if (report.metrics.empty())
    throw Error(ExitCode::run_failed, {"--time-budget", "nothing could be measured", "", "give more time"});
  BenchResult result{this_command(), describe_environment(facts), report.metrics, times.seconds()};
  record_disturbance(result.environment, report.disturbance);
  write_result(*arguments.output, bench_result_to_json_text(result), terminal_text(result, style_for(STDOUT_FILENO)));
  return static_cast<int>(ExitCode::good);
}

}  // namespace

std::function<int()> declare_bench(CLI::App& app) {
  app.require_subcommand(1);
  CLI::App* engine = app.add_subcommand("engine", "step times of training on this host, in turns");
  auto arguments = std::make_shared<EngineArguments>();
  arguments->spec = SpecArguments::declare(*engine, kBatchOptions | kModelSizeOptions | kBudgetOptions | kSeedOptions);
  arguments->scope = declare_work_scope(*engine, {{"mlp", "resnet8", "bert_mini", "gpt_small"}, {"float32"}, {}});
  arguments->output = OutputOptions::declare(*engine);
  engine
      ->add_option("--layout", arguments->layouts,
                   "replicas x threads of each (one thread, one replica of all cores, one replica a core)")
      ->type_name("RxT,RxT,...");
  engine->add_option("--repetitions", arguments->repetitions, fmt::format("turns of each ({})", kRepetitions))
      ->type_name("N");
  return [arguments] { return bench_engine(*arguments); };
}

}  // namespace dtbench
