// Texts from outside inside Markdown.
#pragma once

#include <string>

namespace dtbench {

/// `text` as one line of plain Markdown: nothing in it ends a cell of a table, starts a tag or emphasis, or breaks a line.
std::string markdown_escaped(const std::string& text);

}  // namespace dtbench
