#include "topologies/base/error.h"

#include <fmt/core.h>

#include <cstdlib>

namespace dtbench {

namespace {

std::string compose(const ErrorParts& parts) {
  std::string text = parts.where;
  auto clause = [&text](const char* separator, const std::string& words) {
    if (words.empty()) return;
    if (!text.empty()) text += separator;
    text += words;
  };
  clause(": ", parts.found);
  clause("; expected ", parts.expected);
  if (!parts.hint.empty()) text += fmt::format(" ({})", parts.hint);
  return text;
}

}  // namespace

Error::Error(ExitCode code, ErrorParts parts) : code_(code), parts_(std::move(parts)), message_(compose(parts_)) {}

void throw_bad_input(ErrorParts parts) { throw Error(ExitCode::bad_input, std::move(parts)); }

void check_failed(const char* condition, const char* file, int line) {
  fmt::print(stderr, "dtbench: internal error: '{}' does not hold at {}:{}\n", condition, file, line);
  std::abort();
}

}  // namespace dtbench
