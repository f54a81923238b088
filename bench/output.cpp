#include "bench/output.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <map>

#include "bench/standard_streams.h"
#include "topologies/base/error.h"
#include "topologies/base/json_reader.h"

namespace dtbench {

std::shared_ptr<OutputOptions> OutputOptions::declare(CLI::App& app) {
  auto output = std::make_shared<OutputOptions>();
  app.add_option_function<std::string>(
         "--json", [output](const std::string& text) { output->json = text; },
         "result as JSON; - writes it to standard output instead of the screen")
      ->type_name("FILE");
  app.add_flag_function(
      "--quiet", [output](std::int64_t) { output->quiet = true; }, "no screen and no progress");
  return output;
}

void OutputOptions::require_writable() const {
  if (!json) return;
  if (*json != "-") return dtbench::require_writable(*json, "--json");
  if (!standard_output_is_open())
    throw_bad_input({"--json", "- while standard output is closed", "a file or an open standard output", ""});
}

void require_distinct(const std::vector<NamedFile>& files) {
  std::map<std::filesystem::path, std::string> option_of;
  for (const auto& [option, path] : files) {
    if (path.empty() || path == "-") continue;
    const auto [other, fresh] = option_of.try_emplace(std::filesystem::weakly_canonical(path), option);
    if (!fresh)
      throw_bad_input({fmt::format("{} {}", option, path), "the file of " + other->second, "another file", ""});
  }
}

void write_result(const OutputOptions& output, const std::string& json, const std::string& screen) {
  const bool json_on_standard_output = output.json == "-";
  if (json_on_standard_output) {
    fmt::print("{}", json);
  } else if (output.json) {
    write_file_atomically(*output.json, json);
  }
  if (!output.quiet && !json_on_standard_output) fmt::print("{}", screen);
}

}  // namespace dtbench
