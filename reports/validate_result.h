// The result of `dtbench validate` as a value (`dtbench.validate/1`, validate.schema.json): published measurements,
// each predicted from others, and how far off that was.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reports/run_result.h"

namespace dtbench {

/// One published number and its prediction, in the number's own unit.
struct ValidateRow {
  std::string id, series;
  std::map<std::string, std::string> groups;  ///< what the breakdown goes by: source, model, system, devices
  std::string unit;
  double measured = 0;
  double predicted = 0, low = 0, high = 0;  ///< with its 90 % interval
  bool operator==(const ValidateRow&) const = default;

  double signed_error() const { return (predicted - measured) / measured; }
  bool inside() const { return low <= measured && measured <= high; }
};

/// What is to be said of a row: why it cannot be judged, or what was assumed to judge it.
struct RowNote {
  std::string id;
  int line = 0;
  std::string reason;
  bool operator==(const RowNote&) const = default;
};

struct ValidateSummary {
  double median_abs_error = 0, p90_abs_error = 0;
  double bias = 0;      ///< median signed error
  double coverage = 0;  ///< share measured within low..high
  double band = 0;      ///< median relative half-width of low..high
  int n = 0;
  bool operator==(const ValidateSummary&) const = default;
};

/// The rows that share a value of one group.
struct ValidateGroup {
  std::string by, name;
  ValidateSummary summary;
  bool operator==(const ValidateGroup&) const = default;
};

struct ValidateResult {
  std::string command, kind, data;
  std::string cross_validate;  ///< what was left out of the fit in turn; "none": shipped parameters
  std::string parameters;      ///< where the parameters of the predictor come from
  Environment environment;
  std::vector<ValidateRow> rows;
  std::vector<RowNote> skipped;
  std::vector<RowNote> assumed;  ///< judged, with something guessed
  ValidateSummary summary;
  std::vector<ValidateGroup> groups;
  std::map<std::string, ValidateSummary> baselines;  ///< the same rows predicted without the model
  std::optional<double> max_error;                   ///< of the median, when asked for
  bool passed = true;
  std::map<std::string, double> timing_of_dtbench;
  bool operator==(const ValidateResult&) const = default;
};

ValidateSummary summary_of(const std::vector<ValidateRow>& rows);  ///< zeros for no rows
/// Fills the summary, the groups (by name; of devices by number) and `passed`.
void summarise(ValidateResult& result);
/// The rows with the largest |error|, worst first.
std::vector<ValidateRow> worst_rows(const std::vector<ValidateRow>& rows, std::size_t most);

/// "median_abs_error=0.031 p90_abs_error=0.112 bias=-0.004 coverage=0.91 band=0.08 n=723 skipped=41"
std::string summary_line(const ValidateResult& result);

}  // namespace dtbench
