// Runs the real dtbench as a child process with a time limit and collects what it says.
#pragma once

#include <string>
#include <vector>

namespace dtbench {

enum class StandardOutput {
  collected,
  closed,          ///< like `>&-`
  full,            ///< /dev/full: every write fails
  reader_has_left  ///< like `| true`
};

struct Outcome {
  int status = -1;  ///< exit status; 128 + signal when it was killed, also by the time limit
  std::string out, err;
};

#ifdef __SANITIZE_ADDRESS__
inline constexpr int kSlowness = 6;
#else
inline constexpr int kSlowness = 1;
#endif

/// "20s" for 20; longer for a program with sanitizers and without optimisation.
inline std::string time_budget(int seconds) { return std::to_string(kSlowness * seconds) + "s"; }

/// The program is $DTBENCH_PROGRAM, set by Meson.
Outcome dtbench_says(const std::vector<std::string>& words, StandardOutput output = StandardOutput::collected,
                     double limit_seconds = 100 * kSlowness);

/// "dtbench run --topology x" as one string, for messages.
std::string shown(const std::vector<std::string>& words);

/// A path in a fresh folder of this test process, removed at its end.
std::string temporary_path(const std::string& name);

}  // namespace dtbench
