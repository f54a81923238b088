#include "bench/command_line.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <map>

#include "bench/commands/command.h"
#include "bench/version.h"
#include "topologies/base/error.h"
#include "topologies/base/suggest.h"

namespace dtbench {

namespace {

constexpr const char* kFooter =
    "\nExit status: 0 good; 1 regressed, out of tolerance, or a finding of severity error; 2 bad input;\n"
    "3 inconclusive; 4 run failed; 5 incomparable.\n"
    "`dtbench COMMAND --help` lists the options of a command.\n";

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

std::vector<std::string> subcommand_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(sub->get_name());
  return names;
}

/// The command that the words reached: `dtbench topology show` ends at `show`.
const CLI::App& innermost(const CLI::App& app) {
  const auto parsed = app.get_subcommands();
  return parsed.empty() ? app : innermost(*parsed.front());
}

std::string full_name(const CLI::App& app) {
  return app.get_parent() == nullptr ? app.get_name() : full_name(*app.get_parent()) + " " + app.get_name();
}

[[noreturn]] void refuse_word(const CLI::App& app, const std::string& word) {
  const bool option = word.size() > 1 && word[0] == '-';
  const std::string name = word.substr(0, word.find('='));
  const auto candidates = option ? option_names(app) : subcommand_names(app);
  if (option)
    throw_bad_input({full_name(app), fmt::format("unknown option '{}'", name), "", did_you_mean(name, candidates)});
  if (candidates.empty()) throw_bad_input({full_name(app), fmt::format("unexpected argument '{}'", word), "", ""});
  throw_bad_input(
      {full_name(app), fmt::format("unknown command '{}'", word), one_of(candidates), did_you_mean(word, candidates)});
}

/// CLI11 reports a missing subcommand before a misspelt one; the misspelt word is what helps.
[[noreturn]] void rethrow(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& reached = innermost(app);
  const auto unknown = reached.remaining();
  if (!unknown.empty()) refuse_word(reached, unknown.front());
  const auto names = subcommand_names(reached);
  if (!names.empty()) throw_bad_input({full_name(reached), "no command given", one_of(names), ""});
  throw_bad_input({full_name(reached), error.what(), "", fmt::format("see {} --help", full_name(reached))});
}

}  // namespace

int run_command_line(std::vector<std::string> words) {
  CLI::App app{"Predicts and measures distributed training: one plan of a step, simulated and really run.\n",
               "dtbench"};
  app.set_version_flag("--version", fmt::format("dtbench {}", kVersion));
  app.footer(kFooter);
  app.require_subcommand(1);
  std::map<std::string, std::function<int()>> actions;
  for (const Command& command : commands()) {
    CLI::App* sub = app.add_subcommand(std::string(command.name), std::string(command.summary));
    actions[sub->get_name()] = command.declare(*sub);
  }
  words.erase(words.begin());
  std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
  try {
    app.parse(words);
  } catch (const CLI::Success& wanted) {
    return app.exit(wanted, std::cout, std::cerr);
  } catch (const CLI::ParseError& error) {
    rethrow(app, error);
  }
  return actions.at(app.get_subcommands().front()->get_name())();
}

}  // namespace dtbench
