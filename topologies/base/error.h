// The one error type of dtbench: what a user can mend.
//
// Thrown by readers, planners and back ends, caught in `main` (and at the top of a rank's thread, where the launcher
// rethrows it). Broken invariants, which only a programmer can mend, use DTBENCH_CHECK instead.
#pragma once

#include <exception>
#include <string>

namespace dtbench {

/// Exit statuses of the program; documented in README.md and in `dtbench --help`.
enum class ExitCode : int {
  good = 0,
  regressed = 1,
  bad_input = 2,
  inconclusive = 3,
  run_failed = 4,
  incomparable = 5
};

/// Every field is one clause of the message; empty clauses are left out.
///   where     an option, a file with line, or a file with JSON pointer: `--devices`, `my.json:/device/memory_bytes`
///   found     what stood there
///   expected  the allowed values or the rule
///   hint      nearest right spelling, or what to do
struct ErrorParts {
  std::string where, found, expected, hint;
};

class Error : public std::exception {
 public:
  Error(ExitCode code, ErrorParts parts);
  const char* what() const noexcept override { return message_.c_str(); }
  ExitCode code() const { return code_; }
  const ErrorParts& parts() const { return parts_; }

 private:
  ExitCode code_;
  ErrorParts parts_;
  std::string message_;  // "where: found X; expected Y (hint)"
};

/// Shorthand for the most frequent kind: exit code 2.
[[noreturn]] void throw_bad_input(ErrorParts parts);

[[noreturn]] void check_failed(const char* condition, const char* file, int line);

}  // namespace dtbench

/// For invariants: aborts with the place. Never for input.
#define DTBENCH_CHECK(condition) ((condition) ? void(0) : ::dtbench::check_failed(#condition, __FILE__, __LINE__))
