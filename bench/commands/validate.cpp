// dtbench validate: published measurements, predicted.
#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "bench/commands/command.h"
#include "bench/environment.h"
#include "bench/output.h"
#include "bench/phase_times.h"
#include "bench/validation/kind.h"
#include "bench/validation/published_data.h"
#include "engine/cpu/host_probe.h"
#include "reports/terminal.h"
#include "reports/validate_json.h"
#include "topologies/base/json_reader.h"
#include "topologies/base/suggest.h"
#include "topologies/base/units.h"

namespace dtbench {

namespace {

struct ValidateArguments {
  std::string kind, data, cross_validate, max_error, fit;
};

GroupBy left_out_of(const std::string& text, const ValidationKind& kind) {
  if (text.empty()) return GroupBy::nothing;
  std::vector<std::string> names;
  for (const GroupBy each : kind.cross_validates()) {
    if (text == name_of(each)) return each;
    names.emplace_back(name_of(each));
  }
  throw_bad_input({"--cross-validate", "'" + text + "'", one_of(names), did_you_mean(text, names)});
}

double max_error_of(const std::string& text) {
  const double share = parse_number(text, "--max-error");
  if (share <= 0) throw_bad_input({"--max-error", text, "a share above 0, such as 0.05", ""});
  return share;
}

int validate(const ValidateArguments& arguments, const OutputOptions& output) {
  const ValidationKind& kind = validation_kind(arguments.kind);
  const GroupBy left_out = left_out_of(arguments.cross_validate, kind);
  ValidateResult result;
  if (!arguments.max_error.empty()) result.max_error = max_error_of(arguments.max_error);
  result.data = arguments.data.empty() ? published_data_file(kind.file) : arguments.data;
  output.require_writable();
  require_distinct({{"--data", result.data}, {"--json", output.json.value_or("")}});
  PhaseTimes times;
  const CsvTable table = CsvTable::load(result.data, kind.columns());
  times.end("read");
  result.command = this_command();
  result.kind = kind.name;
  result.cross_validate = name_of(left_out);
  result.environment = describe_environment(make_host_probe()->facts());
  kind.predict(table, left_out, result);
  times.end("predict");
  summarise(result);
  result.timing_of_dtbench = times.seconds();
  write_result(output, validate_result_to_json_text(result), terminal_text(result, style_for(STDOUT_FILENO)));
  return static_cast<int>(result.passed ? ExitCode::good : ExitCode::regressed);
}

/// Data-set name rather than the path on this machine: the file ships.
int write_fit(const ValidateArguments& arguments) {
  const ValidationKind& kind = validation_kind(arguments.kind);
  const std::string data = arguments.data.empty() ? published_data_file(kind.file) : arguments.data;
  if (!arguments.cross_validate.empty() || !arguments.max_error.empty())
    throw_bad_input({"--fit", "given together with --cross-validate or --max-error", "one of them", ""});
  require_writable(arguments.fit, "--fit");
  require_distinct({{"--data", data}, {"--fit", arguments.fit}});
  const CsvTable table = CsvTable::load(data, kind.columns());
  write_file_atomically(arguments.fit,
                        kind.fit(table, fmt::format("{} rows of {}, fitted by dtbench validate --kind {} --fit",
                                                    table.size(), std::filesystem::path(data).filename().string(),
                                                    kind.name)));
  return static_cast<int>(ExitCode::good);
}

std::string kind_names() {
  std::string names;
  for (const ValidationKind& kind : validation_kinds()) names += (names.empty() ? "" : ", ") + std::string(kind.name);
  return names;
}

}  // namespace

std::function<int()> declare_validate(CLI::App& app) {
  auto arguments = std::make_shared<ValidateArguments>();
  auto output = OutputOptions::declare(app);
  app.add_option("--kind", arguments->kind, "what to predict: " + kind_names())->type_name("NAME")->required();
  app.add_option("--data", arguments->data, "measurements (those that ship with dtbench)")->type_name("FILE");
  app.add_option("--cross-validate", arguments->cross_validate,
                 "fit anew without each system, model, source (or device) in turn, and predict that one")
      ->type_name("WHAT");
  app.add_option("--max-error", arguments->max_error, "largest median error for exit status 0")->type_name("SHARE");
  app.add_option("--fit", arguments->fit, "fit the parameters to the data and write them, instead of predicting")
      ->type_name("FILE");
  return [arguments, output] { return arguments->fit.empty() ? validate(*arguments, *output) : write_fit(*arguments); };
}

}  // namespace dtbench
