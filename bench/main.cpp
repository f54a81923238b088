// The program: hand the words to the command line, turn errors into one line and an exit status.
#include <fmt/core.h>

#include <cstdio>
#include <exception>
#include <new>

#include "bench/command_line.h"
#include "bench/openmp_environment.h"
#include "bench/standard_streams.h"
#include "topologies/base/error.h"

namespace {

// Standard error may be closed or full; the exit status then speaks alone.
void complain(const char* reason) { std::fputs(fmt::format("dtbench: error: {}\n", reason).c_str(), stderr); }

int guarded(int argc, char** argv) {
  using namespace dtbench;
  try {
    return run_command_line({argv, argv + argc});
  } catch (const Error& error) {
    complain(error.what());
    return static_cast<int>(error.code());
  } catch (const std::bad_alloc&) {
    complain("out of memory; ask for a smaller model, batch or device list");
  } catch (const std::exception& error) {
    complain(error.what());
  }
  return static_cast<int>(ExitCode::run_failed);
}

}  // namespace

int main(int argc, char** argv) {
  dtbench::limit_openmp_spinning(argv);
  dtbench::prepare_standard_streams();
  return dtbench::finish_standard_output(guarded(argc, argv));
}
