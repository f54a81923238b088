#include <fmt/core.h>

#include <cmath>

#include "reports/comparison.h"
#include "reports/precision_gain.h"
#include "reports/quantity_text.h"
#include "reports/terminal.h"
#include "reports/wording.h"

namespace dtbench {

namespace {

std::string verdict_text(const VerifyResult& result) {
  return fmt::format("{}: median error {} ({} allowed), worst {}, {} of {} rows in their 90 % band.",
                     result.passed ? "Passed" : "Failed", share_text(result.median_abs_error),
                     share_text(result.tolerance), share_text(result.worst_abs_error),
                     std::lround(result.coverage * static_cast<double>(result.rows.size())), result.rows.size());
}

std::vector<Cell> cells_of(const VerifyRow& row) {
  const BandText predicted = seconds_text(band_of(row.predicted));
  const BandText measured = seconds_text(band_of(row.measured));
  const Comparison comparison = compare(row.predicted, row.measured);
  return {{options_text(row.model_options)},
          {fmt::format("{}", row.devices)},
          {fmt::format("{}", row.batch_per_replica)},
          {predicted.value},
          {predicted.band, Role::faint},
          {measured.value},
          {fmt::format("{}", row.measured.repetitions.size())},
          {ratio_text(comparison.ratio)},
          {share_text(comparison.abs_error)},
          comparison.inside ? Cell{"in band", Role::good} : Cell{"out of band", Role::warning}};
}

TextTable table_of(const VerifyGroup& group) {
  TextTable table({{"size", Align::left},
                   {"devices"},
                   {"batch"},
                   {"predicted"},
                   {"90 % band"},
                   {"measured"},
                   {"steps"},
                   {"ratio"},
                   {"error"},
                   {"", Align::left}});
  for (const VerifyRow& row : group.rows) table.add_row(cells_of(row));
  return table;
}

/// "mlp, float32: median error 5.0 %, worst 12 %, 7 of 8 in band"
std::string heading_of(const VerifyGroup& group) {
  const VerifySummary summary = summary_of(group.rows);
  return fmt::format("{}, {}: median error {}, worst {}, {} of {} in band", group.model, group.precision,
                     share_text(summary.median_abs_error), share_text(summary.worst_abs_error), summary.inside,
                     summary.rows);
}

/// Nothing when only one precision was verified.
std::string gains_text(const VerifyResult& result, const TextStyle& style) {
  const std::vector<PrecisionGain> gains = precision_gains(result);
  if (gains.empty()) return "";
  TextTable table({{"gain over float32", Align::left},
                   {"precision", Align::left},
                   {"rows"},
                   {"predicted"},
                   {"measured"},
                   {"error"}});
  for (const PrecisionGain& gain : gains)
    table.add_row({{gain.model},
                   {gain.precision},
                   {fmt::format("{}", gain.rows)},
                   {fmt::format("{:.2f}", gain.predicted)},
                   {fmt::format("{:.2f}", gain.measured)},
                   {share_text(gain.median_abs_error)}});
  return "\n" + table.text(style);
}

/// What the machine itself changed since the calibration; "" without controls.
std::string controls_text(const VerifyResult& result) {
  if (result.controls.empty()) return "";
  const MachineChange change = machine_change(result.controls);
  return fmt::format("{} calibrated steps, measured again beside these rows, took {:.2f} times as long ({:.2f} to {:.2f}): "
                     "the same step twice differs by {}. Relative to that the median error is {}.",
                     result.controls.size(), change.factor, change.low, change.high, share_text(change.repeat_error),
                     share_text(result.median_abs_error_beside_controls));
}

}  // namespace

std::string terminal_text(const VerifyResult& result, const TextStyle& style) {
  std::string text = style.paint(result.passed ? Role::good : Role::bad, verdict_text(result)) + "\n\n" +
                     labelled({"calibration", Role::heading}, kLabelWidth, calibration_text(result.calibration), style);
  if (const std::string controls = controls_text(result); !controls.empty())
    text += labelled({"machine", Role::heading}, kLabelWidth, controls, style);
  for (const VerifyGroup& group : grouped(result))
    text += "\n" + style.paint(Role::heading, heading_of(group)) + "\n" + table_of(group).text(style);
  return text + gains_text(result, style) + "\n" + timing_line(result.timing_of_dtbench, style);
}

}  // namespace dtbench
