#include "reports/markdown_escape.h"

namespace dtbench {

std::string markdown_escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '|' || c == '<' || c == '`' || c == '*' || c == '_' || c == '\\' || c == '[') result += '\\';
    result += c == '\n' || c == '\r' ? ' ' : c;
  }
  return result;
}

}  // namespace dtbench
