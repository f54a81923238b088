// The result of `dtbench verify` as a value (`dtbench.verify/1`, verify.schema.json): calibrated on one set of sizes,
// predicted and then measured on others.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "reports/run_result.h"

namespace dtbench {

/// One configuration that the calibration has not seen; times of one step.
struct VerifyRow {
  std::string model, precision;
  std::map<std::string, std::int64_t> model_options;
  int devices = 1;
  std::int64_t batch_per_replica = 0;
  Predicted predicted;
  Measured measured;
  double ratio = 0;  ///< predicted / measured
  bool operator==(const VerifyRow&) const = default;
};

/// A step that the calibration did see, measured again beside the rows: what changed is the machine.
struct VerifyControl {
  std::string name;
  double calibrated_seconds = 0, measured_seconds = 0;
  bool operator==(const VerifyControl&) const = default;
};

/// What the controls say of the machine; at least one control.
struct MachineChange {
  double factor = 1;         ///< median of measured / calibrated
  double low = 1, high = 1;  ///< smallest and largest of them
  double repeat_error = 0;   ///< median of |measured - calibrated| / calibrated: no prediction can be asked to be better
  bool operator==(const MachineChange&) const = default;
};
MachineChange machine_change(std::span<const VerifyControl> controls);

struct VerifyResult {
  RunSpec spec;
  std::string command;
  Environment environment;
  CalibrationReport calibration;
  std::vector<VerifyRow> rows;
  std::vector<VerifyControl> controls;               ///< none when the calibration was a file
  double median_abs_error = 0, worst_abs_error = 0;  ///< |predicted - measured| / measured
  double median_abs_error_beside_controls = 0;       ///< the same with every prediction times the machine's factor
  double coverage = 0;                               ///< share of rows measured within low..high
  double tolerance = 0;
  bool passed = false;  ///< median_abs_error <= tolerance
  std::map<std::string, double> timing_of_dtbench;
  bool operator==(const VerifyResult&) const = default;
};

/// A summary of some rows.
struct VerifySummary {
  double median_abs_error = 0, worst_abs_error = 0, coverage = 0;  ///< as in VerifyResult
  std::size_t rows = 0, inside = 0;                                ///< inside: measured within low..high
};
VerifySummary summary_of(std::span<const VerifyRow> rows);

/// Rows of one model at one precision, in their order.
struct VerifyGroup {
  std::string model, precision;
  std::vector<VerifyRow> rows;
};
std::vector<VerifyGroup> grouped(const VerifyResult& result);

/// Fills the ratios and the summary from predicted, measured and tolerance; at least one row.
void summarise(VerifyResult& result);

}  // namespace dtbench
