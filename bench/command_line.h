// The command line: commands() as one CLI11 application, its complaints as dtbench errors.
#pragma once

#include <string>
#include <vector>

namespace dtbench {

/// `words[0]` is the program. Prints help or version, or runs the command; returns the exit status. Unknown commands
/// and options, missing and surplus values are bad-input errors with the nearest right spelling.
int run_command_line(std::vector<std::string> words);

}  // namespace dtbench
