// Words for a shell.
#pragma once

#include <string>

namespace dtbench {

/// `word` between single quotes, so that a POSIX shell reads it back unchanged.
inline std::string shell_quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace dtbench
