// dtbench compare: did the second result get worse than the first?
#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>

#include "bench/commands/command.h"
#include "bench/comparison_inputs.h"
#include "bench/environment.h"
#include "bench/output.h"
#include "bench/progress.h"
#include "bench/self_check_series.h"
#include "engine/cpu/host_probe.h"
#include "reports/regression/compare_json.h"
#include "reports/regression/compare_samples.h"
#include "reports/regression/junit.h"
#include "reports/regression/report_text.h"
#include "reports/regression/self_check.h"
#include "topologies/base/error.h"
#include "topologies/base/json_reader.h"
#include "topologies/base/units.h"

namespace dtbench {

namespace {

struct SelfCheckArguments {
  bool wanted = false;
  std::string time_budget;
};

struct Texts {
  std::string markdown, junit, google_benchmark;
};

void write_if_named(const std::string& path, const std::string& text) {
  if (!path.empty()) write_file_atomically(path, text);
}

// A result may be compared with itself, but nothing may be written over it.
void check_outputs(const ComparisonInputs& inputs, const Texts& files, const OutputOptions& output) {
  const std::vector<NamedFile> texts = {
      {"--markdown", files.markdown}, {"--junit", files.junit}, {"--google-benchmark", files.google_benchmark}};
  for (const NamedFile& input : inputs.files()) {
    std::vector<NamedFile> all = texts;
    all.insert(all.begin(), {input, {"--json", output.json.value_or("")}});
    require_distinct(all);
  }
  for (const NamedFile& file : texts)
    if (!file.path.empty()) require_writable(file.path, file.option);
}

int compare(const ComparisonInputs& inputs, const Texts& files, const OutputOptions& output) {
  output.require_writable();
  check_outputs(inputs, files, output);
  Progress progress(output.quiet);
  const ComparedFiles compared = inputs.read(progress);
  const RegressionReport report = compare_samples(compared.base, compared.changed, compared.request);
  write_if_named(files.markdown, markdown_text(report));
  write_if_named(files.junit, junit_text(report));
  if (!files.google_benchmark.empty())
    write_file_atomically(files.google_benchmark, google_benchmark_of(compared.changed));
  write_result(output, regression_report_to_json_text(report, this_command()),
               terminal_text(report, style_for(STDOUT_FILENO)));
  return static_cast<int>(exit_code_of(report.verdict));
}

int self_check(const ComparisonInputs& inputs, const std::string& time_budget, const OutputOptions& output) {
  constexpr std::size_t kFewest = 40;
  output.require_writable();
  const GateRule rule = inputs.rule();
  const double seconds = time_budget.empty() ? 60 : parse_seconds(time_budget, "--time-budget");
  if (seconds <= 0) throw_bad_input({"--time-budget", time_budget, "a time above 0", ""});
  const HostFacts facts = make_host_probe()->facts();
  Progress progress(output.quiet);
  const SelfCheckSeries series = measure_self_check(facts, rule.seed, TimeBudget(seconds), progress);
  if (series.step_seconds.size() < kFewest)
    throw Error(ExitCode::run_failed, {"--time-budget", fmt::format("{} repetitions", series.step_seconds.size()),
                                       fmt::format("at least {}", kFewest), "give more time"});
  Environment environment = describe_environment(facts);
  record_disturbance(environment, series.disturbance);
  const SelfCheckReport report = self_check(series.step_seconds, rule);
  write_result(output, self_check_to_json_text(report, this_command(), environment),
               terminal_text(report, style_for(STDOUT_FILENO)));
  return static_cast<int>(ExitCode::good);
}

}  // namespace

std::function<int()> declare_compare(CLI::App& app) {
  auto inputs = ComparisonInputs::declare(app);
  auto output = OutputOptions::declare(app);
  auto files = std::make_shared<Texts>();
  app.add_option("--markdown", files->markdown, "the comparison as Markdown, for a pull request")->type_name("FILE");
  app.add_option("--junit", files->junit, "the comparison as JUnit XML, for continuous integration")->type_name("FILE");
  app.add_option("--google-benchmark", files->google_benchmark, "the new result as Google Benchmark's JSON")
      ->type_name("FILE");
  auto self = std::make_shared<SelfCheckArguments>();
  app.add_flag("--self-check", self->wanted, "measure how often this machine calls unchanged code slower, instead");
  app.add_option("--time-budget", self->time_budget, "of --self-check (60s)")->type_name("TIME");
  return [inputs, output, files, self] {
    return self->wanted ? self_check(*inputs, self->time_budget, *output) : compare(*inputs, *files, *output);
  };
}

}  // namespace dtbench
