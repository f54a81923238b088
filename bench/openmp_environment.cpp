#include "bench/openmp_environment.h"

#include <unistd.h>

#include <cstdlib>

namespace dtbench {

void limit_openmp_spinning(char** argv) {
  if (std::getenv("GOMP_SPINCOUNT") || std::getenv("OMP_WAIT_POLICY")) return;
  if (::setenv("GOMP_SPINCOUNT", "10000", 0) == 0) ::execv("/proc/self/exe", argv);
}

}  // namespace dtbench
