#include "topologies/base/error.h"

#include <fmt/core.h>

#include <cstdlib>

namespace dtbench {

namespace {

constexpr std::size_t kLongestClause = 2000;  // lists of allowed names are long; pasted input must not be longer

// What a user typed may hold control characters, which must not reach a terminal.
std::string printable(const std::string& words) {
  std::string text;
  for (const char c : words.substr(0, kLongestClause)) {
    const auto byte = static_cast<unsigned char>(c);
    text += byte < 0x20 || byte == 0x7f ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
  }
  return words.size() > kLongestClause ? text + "..." : text;
}

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

Error::Error(ExitCode code, ErrorParts parts)
    : code_(code), parts_(std::move(parts)), message_(printable(compose(parts_))) {}

void throw_bad_input(ErrorParts parts) { throw Error(ExitCode::bad_input, std::move(parts)); }

void check_failed(const char* condition, const char* file, int line) {
  fmt::print(stderr, "dtbench: internal error: '{}' does not hold at {}:{}\n", condition, file, line);
  std::abort();
}

}  // namespace dtbench
