#include "reports/text_layout.h"

#include <fmt/color.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "topologies/base/error.h"

namespace dtbench {

namespace {

fmt::text_style look_of(Role role) {
  switch (role) {
    case Role::plain:
      return {};
    case Role::heading:
      return fmt::emphasis::bold;
    case Role::faint:
      return fmt::emphasis::faint;
    case Role::good:
      return fmt::fg(fmt::terminal_color::green);
    case Role::warning:
      return fmt::fg(fmt::terminal_color::yellow);
    case Role::bad:
      return fmt::emphasis::bold | fmt::fg(fmt::terminal_color::red);
  }
  return {};
}

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value != '\0';
}

std::string trimmed_right(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

std::string TextStyle::paint(Role role, std::string_view text) const {
  if (!colour || role == Role::plain || text.empty()) return std::string(text);
  return fmt::format(look_of(role), "{}", text);
}

TextStyle style_for(int file_descriptor) {
  const char* terminal = std::getenv("TERM");
  const bool capable = terminal && std::string_view(terminal) != "dumb";
  return {.colour = ::isatty(file_descriptor) == 1 && capable && !is_set("NO_COLOR")};
}

std::size_t text_width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

TextTable::TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

void TextTable::add_row(std::vector<Cell> cells) {
  DTBENCH_CHECK(cells.size() <= columns_.size());
  cells.resize(columns_.size());
  rows_.push_back(std::move(cells));
}

std::string TextTable::line(const std::vector<Cell>& cells, const std::vector<std::size_t>& widths,
                            const TextStyle& style) const {
  std::string text;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string padding(widths[i] - text_width(cells[i].text), ' ');
    const std::string painted = style.paint(cells[i].role, cells[i].text);
    if (i > 0) text += "  ";
    text += columns_[i].align == Align::left ? painted + padding : padding + painted;
  }
  return trimmed_right(std::move(text)) + "\n";
}

std::string TextTable::text(const TextStyle& style) const {
  std::vector<Cell> header;
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    header.push_back({columns_[i].header, Role::heading});
    widths.push_back(text_width(columns_[i].header));
    for (const auto& row : rows_) widths[i] = std::max(widths[i], text_width(row[i].text));
  }
  std::string text = line(header, widths, style);
  for (const auto& row : rows_) text += line(row, widths, style);
  return text;
}

std::string labelled(const Cell& label, std::size_t label_width, std::string_view text, const TextStyle& style) {
  const std::size_t shown = text_width(label.text);
  std::size_t column = shown == 0 ? label_width : std::max(label_width, shown + 1);
  std::string result = style.paint(label.role, label.text) + std::string(column - shown, ' ');
  bool line_is_empty = true;
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) {
    const std::size_t width = text_width(word);
    if (!line_is_empty && column + 1 + width > static_cast<std::size_t>(style.width)) {
      result += "\n" + std::string(label_width, ' ');
      column = label_width;
      line_is_empty = true;
    }
    result += (line_is_empty ? "" : " ") + word;
    column += width + (line_is_empty ? 0 : 1);
    line_is_empty = false;
  }
  return trimmed_right(std::move(result)) + "\n";
}

}  // namespace dtbench
