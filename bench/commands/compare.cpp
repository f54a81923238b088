// dtbench compare: did the second result get worse than the first?
#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>

#include "bench/commands/command.h"
#include "bench/comparison_inputs.h"
#include "bench/environment.h"
#include "bench/output.h"
#include "reports/regression/compare_json.h"
#include "reports/regression/compare_samples.h"
#include "reports/regression/junit.h"
#include "reports/regression/report_text.h"
#include "topologies/base/error.h"
#include "topologies/base/json_reader.h"

namespace dtbench {

namespace {

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
  const ComparedFiles compared = inputs.read();
  const RegressionReport report = compare_samples(compared.base, compared.changed, compared.request);
  write_if_named(files.markdown, markdown_text(report));
  write_if_named(files.junit, junit_text(report));
  if (!files.google_benchmark.empty())
    write_file_atomically(files.google_benchmark, google_benchmark_of(compared.changed));
  write_result(output, regression_report_to_json_text(report, this_command()),
               terminal_text(report, style_for(STDOUT_FILENO)));
  return static_cast<int>(exit_code_of(report.verdict));
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
  return [inputs, output, files] { return compare(*inputs, *files, *output); };
}

}  // namespace dtbench
