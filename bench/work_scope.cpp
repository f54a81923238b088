#include "bench/work_scope.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include "bench/options.h"

namespace dtbench {

namespace {

/// Each name is checked as if it were the only one asked for.
std::vector<std::string> names_of(const std::string& text, const char* option, std::string RunSpec::*field) {
  std::vector<std::string> names = split_list(text, option);
  for (const std::string& name : names) {
    RunSpec one;
    one.*field = name;
    check_names(one);
  }
  return names;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
  return text;
}

}  // namespace

std::shared_ptr<WorkScope> declare_work_scope(CLI::App& app, WorkScope defaults) {
  auto scope = std::make_shared<WorkScope>(std::move(defaults));
  app.add_option_function<std::string>(
         "--model",
         [scope](const std::string& text) { scope->models = names_of(text, "--model", &RunSpec::model); },
         fmt::format("models, each at its sizes for a host ({})", joined(scope->models)))
      ->type_name("NAME,NAME,...");
  app.add_option_function<std::string>(
         "--precision",
         [scope](const std::string& text) {
           scope->precisions = names_of(text, "--precision", &RunSpec::precision);
         },
         fmt::format("precisions of every model ({})", joined(scope->precisions)))
      ->type_name("NAME,NAME,...");
  return scope;
}

}  // namespace dtbench
