// Plain text for people: colours when wanted, aligned tables, wrapped paragraphs. ASCII of its own; texts from outside
// may be UTF-8 and are measured in code points.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dtbench {

enum class Role { plain, heading, faint, good, warning, bad };

struct TextStyle {
  bool colour = false;
  int width = 100;  ///< columns
  std::string paint(Role role, std::string_view text) const;
};

/// Colours only when the file descriptor is a terminal that can show them and NO_COLOR is not set
/// (https://no-color.org).
TextStyle style_for(int file_descriptor);

struct Cell {
  std::string text;
  Role role = Role::plain;
};

enum class Align { left, right };

/// Columns as wide as their widest cell, two spaces apart; the header is the first line.
class TextTable {
 public:
  struct Column {
    std::string header;
    Align align = Align::right;
  };
  explicit TextTable(std::vector<Column> columns);
  /// Missing cells at the end are empty.
  void add_row(std::vector<Cell> cells);
  /// Without trailing spaces; every line ends in "\n".
  std::string text(const TextStyle& style) const;

 private:
  std::string line(const std::vector<Cell>& cells, const std::vector<std::size_t>& widths,
                   const TextStyle& style) const;
  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

std::size_t text_width(std::string_view text);

/// `label` and `text` side by side, the text wrapped at the style's width with its later lines under its first. Words
/// longer than a line stay whole. Ends in "\n".
std::string labelled(const Cell& label, std::size_t label_width, std::string_view text, const TextStyle& style);

}  // namespace dtbench
