// What can be validated: one kind of published measurement a file, one row of `validation_kinds()`.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/validate_result.h"
#include "topologies/base/csv_reader.h"

namespace dtbench {

/// What is left out of a fit together.
enum class GroupBy { nothing, system, model, source, device };
std::string_view name_of(GroupBy left_out);  ///< "none", "system", ...

struct ValidationKind {
  std::string_view name, summary;
  std::string_view file;                      ///< in the folder of the published data
  std::vector<std::string> (*columns)();      ///< that the file must have
  std::vector<GroupBy> (*cross_validates)();  ///< beside `nothing`
  /// Fills rows, skipped, baselines and parameters. `nothing` takes the shipped parameters; anything else fits them
  /// again without each system (model, source, device) in turn and predicts that one.
  void (*predict)(const CsvTable& table, GroupBy left_out, ValidateResult& result);
  /// Fits the parameters to the whole table: the JSON that ships. `source` says where they come from.
  std::string (*fit)(const CsvTable& table, const std::string& source);
};

std::span<const ValidationKind> validation_kinds();
/// Bad-input error, with the nearest name, when there is no such kind.
const ValidationKind& validation_kind(std::string_view name);

}  // namespace dtbench
