// A subcommand: declares its options and returns what to do once they are parsed. One file per command, one row.
#pragma once

#include <functional>
#include <span>
#include <string_view>

namespace CLI {
class App;
}

namespace dtbench {

struct Command {
  std::string_view name, summary;
  /// Adds options to `app` and returns the action; its result is the exit status (error.h). Errors are thrown.
  std::function<int()> (*declare)(CLI::App& app);
};

std::span<const Command> commands();

}  // namespace dtbench
