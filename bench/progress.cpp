#include "bench/progress.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>

namespace dtbench {

Progress::Progress(bool quiet) : quiet_(quiet), terminal_(!quiet && isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() { finish(); }

void Progress::finish() {
  if (terminal_) fmt::print(stderr, "\r\033[K");
}

void Progress::phase(const std::string& what) {
  phase_ = what;
  if (quiet_) return;
  finish();
  if (terminal_) {
    fmt::print(stderr, "{} ...", what);
  } else {
    fmt::print(stderr, "dtbench: {}\n", what);
  }
  std::fflush(stderr);
}

void Progress::detail(const std::string& what) {
  if (!terminal_) return;
  finish();
  fmt::print(stderr, "{}: {:.80}", phase_, what);
  std::fflush(stderr);
}

}  // namespace dtbench
