#include "bench/progress.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>

namespace dtbench {

Progress::Progress(bool quiet) : quiet_(quiet), terminal_(!quiet && isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() { finish(); }

void Progress::finish() {
  if (terminal_) std::fputs("\r\033[K", stderr);
}

void Progress::phase(const std::string& what) {
  phase_ = what;
  if (quiet_) return;
  finish();
  if (terminal_) {
    std::fputs(fmt::format("{} ...", what).c_str(), stderr);
  } else {
    std::fputs(fmt::format("dtbench: {}\n", what).c_str(), stderr);
  }
  std::fflush(stderr);
}

void Progress::detail(const std::string& what) {
  if (!terminal_) return;
  finish();
  std::fputs(fmt::format("{}: {:.80}", phase_, what).c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace dtbench
