#include "topologies/base/csv_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "topologies/base/suggest.h"
#include "topologies/base/units.h"

namespace dtbench {

namespace {

constexpr std::size_t kMostBytes = 64u << 20, kLongestQuote = 60;
constexpr std::int64_t kMostCount = std::int64_t{1} << 20;
constexpr double kSmallestCell = 1e-30, kLargestCell = 1e30;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

/// Cut between characters, so that a message stays UTF-8.
std::string in_quotes(std::string_view text) {
  if (text.size() <= kLongestQuote) return fmt::format("'{}'", text);
  std::size_t end = kLongestQuote;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return fmt::format("'{}...'", text.substr(0, end));
}

/// Walks the text once, a record at a time.
class Scanner {
 public:
  Scanner(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  /// The next record that is not blank; false at the end.
  bool next(std::vector<std::string>& fields, int& line) {
    while (at_ < text_.size()) {
      line = line_;
      fields.clear();
      read_record(fields);
      if (fields.size() > 1 || !fields.front().empty()) return true;
    }
    return false;
  }

 private:
  void read_record(std::vector<std::string>& fields) {
    do fields.push_back(at_ < text_.size() && text_[at_] == '"' ? quoted_field() : plain_field());
    while (take(','));
    if (at_ >= text_.size()) return;
    if (take('\r') && at_ < text_.size() && text_[at_] != '\n') fail("a carriage return inside a line", "CRLF or LF");
    if (at_ < text_.size() && !take('\n')) fail("text behind a closing quote", "a comma or the end of the line");
    ++line_;
  }

  std::string plain_field() {
    const std::size_t start = at_;
    while (at_ < text_.size() && text_[at_] != ',' && text_[at_] != '\n' && text_[at_] != '\r') {
      if (text_[at_] == '\0') fail("a zero byte", "text");
      ++at_;
    }
    return std::string(trimmed(text_.substr(start, at_ - start)));
  }

  std::string quoted_field() {
    const int opened = line_;
    std::string field;
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '"') {
        ++at_;
        if (at_ >= text_.size() || text_[at_] != '"') return std::string(trimmed(field));
      }
      if (text_[at_] == '\0') fail("a zero byte", "text");
      if (text_[at_] == '\n') ++line_;
      field += text_[at_];
    }
    throw_bad_input({fmt::format("{}:{}", name_, opened), "a quote that nothing closes", "\"text\"", ""});
  }

  bool take(char wanted) {
    if (at_ >= text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  [[noreturn]] void fail(std::string found, std::string expected) const {
    throw_bad_input({fmt::format("{}:{}", name_, line_), std::move(found), std::move(expected), ""});
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0;
  int line_ = 1;
};

std::vector<std::string> names_of(const std::map<std::string, std::size_t, std::less<>>& columns) {
  std::vector<std::string> names;
  for (const auto& [name, index] : columns) names.push_back(name);
  return names;
}

}  // namespace

CsvTable CsvTable::parse(std::string_view text, std::string name, const std::vector<std::string>& required) {
  if (text.size() > kMostBytes) throw_bad_input({name, fmt::format("{} bytes", text.size()), "at most 64 MiB", ""});
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  CsvTable table;
  table.name_ = std::move(name);
  Scanner scanner(text, table.name_);
  std::vector<std::string> fields;
  int line = 1;
  if (!scanner.next(fields, line))
    throw_bad_input({table.name_, "no lines", "a first line with the names of the columns", ""});
  for (std::size_t i = 0; i < fields.size(); ++i)
    if (!table.columns_.emplace(fields[i], i).second)
      throw_bad_input({fmt::format("{}:{}", table.name_, line), fmt::format("column {} twice", in_quotes(fields[i])),
                       "each name once", ""});
  for (const std::string& column : required)
    if (table.columns_.find(column) == table.columns_.end())
      throw_bad_input({fmt::format("{}:{}", table.name_, line), fmt::format("no column '{}'", column),
                       "columns " + [&] {
                         std::string all;
                         for (const std::string& each : required) all += (all.empty() ? "" : ", ") + each;
                         return all;
                       }(),
                       did_you_mean(column, names_of(table.columns_))});
  while (scanner.next(fields, line)) {
    if (fields.size() != table.columns_.size())
      throw_bad_input({fmt::format("{}:{}", table.name_, line), fmt::format("{} fields", fields.size()),
                       fmt::format("{}, as the first line has", table.columns_.size()), ""});
    table.lines_.push_back({line, fields});
  }
  return table;
}

CsvTable CsvTable::load(const std::string& path, const std::vector<std::string>& required) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) throw_bad_input({path, "no such file", "a CSV file", ""});
  if (std::filesystem::is_directory(path, error)) throw_bad_input({path, "a folder", "a CSV file", ""});
  const auto size = std::filesystem::is_regular_file(path, error) ? std::filesystem::file_size(path, error) : 0;
  if (size > kMostBytes) throw_bad_input({path, fmt::format("{} bytes", size), "at most 64 MiB", ""});
  std::ifstream stream(path, std::ios::binary);
  std::string text;
  if (stream) {
    std::array<char, 1 << 16> block;
    while (text.size() <= kMostBytes && (stream.read(block.data(), block.size()), stream.gcount() > 0))
      text.append(block.data(), static_cast<std::size_t>(stream.gcount()));
  }
  if (!stream.is_open() || stream.bad()) throw_bad_input({path, "cannot be read", "a readable CSV file", ""});
  return parse(text, path, required);
}


std::string CsvRow::text(std::string_view column) const {
  const auto found = table_->columns_.find(column);
  return found == table_->columns_.end() ? "" : table_->lines_[index_].fields[found->second];
}

std::string CsvRow::required(std::string_view column) const {
  std::string value = text(column);
  if (value.empty()) fail(column, "a value");
  return value;
}

double CsvRow::positive(std::string_view column) const {
  double value = 0;
  try {
    value = parse_number(text(column), where(column));
  } catch (const Error&) {
    fail(column, "a number above 0");
  }
  if (!(value >= kSmallestCell)) fail(column, "a number above 0");
  if (value > kLargestCell) fail(column, fmt::format("at most {:g}", kLargestCell));
  return value;
}

std::optional<double> CsvRow::optional_positive(std::string_view column) const {
  return text(column).empty() ? std::nullopt : std::optional(positive(column));
}

std::int64_t CsvRow::count(std::string_view column) const {
  const double value = positive(column);  // "8.0" is how some tables write 8
  if (value != double(std::int64_t(std::min(value, 1e15))) || value > double(kMostCount))
    fail(column, fmt::format("a whole number from 1 to {}", kMostCount));
  return std::int64_t(value);
}

std::optional<std::int64_t> CsvRow::optional_count(std::string_view column) const {
  return text(column).empty() ? std::nullopt : std::optional(count(column));
}

std::string CsvRow::choice(std::string_view column, const std::vector<std::string>& allowed) const {
  const std::string value = text(column);
  if (std::find(allowed.begin(), allowed.end(), value) == allowed.end())
    fail(column, one_of(allowed), did_you_mean(value, allowed));
  return value;
}

int CsvRow::line() const { return table_->lines_[index_].number; }

std::string CsvRow::where(std::string_view column) const {
  return fmt::format("{}:{}, column '{}'", table_->name_, line(), column);
}

void CsvRow::fail(std::string_view column, std::string expected, std::string hint) const {
  const std::string value = text(column);
  throw_bad_input({where(column), value.empty() ? "blank" : in_quotes(value), std::move(expected), std::move(hint)});
}

}  // namespace dtbench
