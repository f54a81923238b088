#include "bench/standard_streams.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "topologies/base/error.h"

namespace dtbench {

void prepare_standard_streams() {
  std::signal(SIGPIPE, SIG_IGN);
  // Opened the other way round, so that a later read or write still fails instead of vanishing.
  for (int descriptor = 0; descriptor <= 2; ++descriptor)
    if (fcntl(descriptor, F_GETFD) == -1) (void)open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
}

int finish_standard_output(int status) {
  errno = 0;
  const bool written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (written || errno == EPIPE) return status;
  std::fputs(fmt::format("dtbench: error: standard output: cannot be written ({})\n",
                         errno != 0 ? std::strerror(errno) : "an earlier write failed")
                 .c_str(),
             stderr);
  return static_cast<int>(ExitCode::run_failed);
}

bool standard_output_is_open() {
  const int flags = fcntl(STDOUT_FILENO, F_GETFL);
  return flags != -1 && (flags & O_ACCMODE) != O_RDONLY;
}

}  // namespace dtbench
