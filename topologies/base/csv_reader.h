// Reading comma-separated tables strictly (RFC 4180): quoted fields, doubled quotes, CRLF or LF, a byte-order mark,
// blank lines. Messages carry file:line, the column and what is allowed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topologies/base/error.h"

namespace dtbench {

class CsvTable;

/// One line of a table. The table must outlive it.
class CsvRow {
 public:
  CsvRow(const CsvTable& table, std::size_t index) : table_(&table), index_(index) {}

  /// As it stands, without spaces around it; "" where the column is blank or missing.
  std::string text(std::string_view column) const;
  std::string required(std::string_view column) const;  ///< refuses a blank
  double positive(std::string_view column) const;       ///< > 0, refuses a blank
  std::optional<double> optional_positive(std::string_view column) const;
  std::int64_t count(std::string_view column) const;  ///< a whole number, 1 to 2^20
  std::optional<std::int64_t> optional_count(std::string_view column) const;
  std::string choice(std::string_view column, const std::vector<std::string>& allowed) const;

  int line() const;  ///< of the file, 1 is the first
  /// "file.csv:12, column 'value'"
  std::string where(std::string_view column) const;
  [[noreturn]] void fail(std::string_view column, std::string expected, std::string hint = "") const;

 private:
  const CsvTable* table_;
  std::size_t index_;
};

class CsvTable {
 public:
  /// The first line names the columns. Refuses a missing one of `required`, a name twice, a line with more or fewer
  /// fields, an open quote, bytes that no text holds, and more than 64 MiB.
  static CsvTable parse(std::string_view text, std::string name, const std::vector<std::string>& required);
  static CsvTable load(const std::string& path, const std::vector<std::string>& required);

  std::size_t size() const { return lines_.size(); }
  CsvRow row(std::size_t index) const { return {*this, index}; }
  const std::string& name() const { return name_; }

 private:
  friend class CsvRow;
  struct Line {
    int number = 0;
    std::vector<std::string> fields;
  };
  std::string name_;
  std::map<std::string, std::size_t, std::less<>> columns_;
  std::vector<Line> lines_;
};

}  // namespace dtbench
