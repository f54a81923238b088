#include "reports/markdown.h"

#include <fmt/core.h>

#include "reports/comparison.h"
#include "reports/headline.h"
#include "reports/machine_text.h"
#include "reports/markdown_escape.h"
#include "reports/quantity_text.h"
#include "reports/wording.h"
#include "topologies/base/units.h"

namespace dtbench {

namespace {

using Cells = std::vector<std::string>;

std::string line_of(const Cells& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += " " + markdown_escaped(cell) + " |";
  return line + "\n";
}

std::string table_of(const Cells& header, const std::vector<Cells>& rows) {
  std::string text = line_of(header) + "|";
  for (std::size_t i = 0; i < header.size(); ++i) text += "---:|";
  text += "\n";
  for (const Cells& row : rows) text += line_of(row);
  return text;
}

std::string cell_of(const BandText& text) {
  return text.band.empty() ? text.value : fmt::format("{} ({})", text.value, text.band);
}

std::string cell_of(const Quantity& quantity, BandText (*text_of)(const Band&)) {
  return quantity.predicted ? cell_of(text_of(band_of(*quantity.predicted))) : "-";
}

std::string scaling_table(const RunResult& result) {
  std::vector<Cells> rows;
  for (const Point& point : result.points) {
    const BottleneckReport& bottleneck = point.bottleneck;
    rows.push_back({fmt::format("{}", point.devices), cell_of(point.step_seconds, seconds_text),
                    cell_of(point.samples_per_second, rate_text), cell_of(point.speedup, factor_text),
                    cell_of(point.efficiency, percent_text), cell_of(point.exposed_communication_seconds, seconds_text),
                    fmt::format("{} ({})", format_bytes(static_cast<double>(point.memory_bytes.total)),
                                point.memory_bytes.verdict),
                    fmt::format("{} {}", bottleneck.link.empty() ? bottleneck.kind : bottleneck.link,
                                share_text(bottleneck.share))});
  }
  return table_of({"devices", "step time", result.model.sample_unit + "/s", "speed-up", "efficiency", "exposed comm",
                   "memory", "limited by"},
                  rows);
}

std::string comparison_table(const std::vector<Point>& points) {
  std::vector<Cells> rows;
  for (const Point& point : points) {
    if (!point.step_seconds.predicted || !point.step_seconds.measured) continue;
    const Comparison comparison = compare(*point.step_seconds.predicted, *point.step_seconds.measured);
    rows.push_back({fmt::format("{}", point.devices), cell_of(seconds_text(band_of(*point.step_seconds.predicted))),
                    cell_of(seconds_text(band_of(*point.step_seconds.measured))), ratio_text(comparison.ratio)});
  }
  return table_of({"devices", "predicted", "measured", "predicted / measured"}, rows);
}

std::string command_text(const std::string& command) {
  return command.empty() ? "" : fmt::format("```\n{}\n```\n\n", command);
}

}  // namespace

std::string markdown_text(const RunResult& result) {
  std::string text = fmt::format("**{}**\n\n", headline(result).text) + command_text(result.command);
  text += fmt::format("- machine: {}\n", devices_text(result.topology, result.spec.precision));
  for (const std::string& assumption : result.topology.assumptions) text += fmt::format("- assumed: {}\n", assumption);
  text += fmt::format("- model: {}\n- training: {}\n- calibration: {}\n\n", model_text(result.model),
                      training_text(result), calibration_text(result.calibration));
  text += scaling_table(result) + "\nIn brackets: the 90 % band.\n";
  const bool own = compare_step_seconds(result.closed_loop.points).empty();
  const std::vector<Point>& measured = own ? result.points : result.closed_loop.points;
  if (!compare_step_seconds(measured).empty())
    text += fmt::format("\nPredicted and measured on {}:\n\n{}",
                        own ? result.topology.spec : result.closed_loop.topology, comparison_table(measured));
  if (!result.findings.empty()) text += "\n";
  for (const Finding& finding : result.findings)
    text += fmt::format("- **{}** ({}): {}\n", finding.code, finding.severity, finding.text);
  return text;
}

std::string markdown_text(const VerifyResult& result) {
  std::vector<Cells> rows;
  for (const VerifyRow& row : result.rows)
    rows.push_back({row.model, row.precision, options_text(row.model_options), fmt::format("{}", row.devices),
                    fmt::format("{}", row.batch_per_replica), cell_of(seconds_text(band_of(row.predicted))),
                    cell_of(seconds_text(band_of(row.measured))), ratio_text(row.ratio)});
  return fmt::format("**{}: median error {} ({} allowed), worst {}**\n\n", result.passed ? "Passed" : "Failed",
                     share_text(result.median_abs_error), share_text(result.tolerance),
                     share_text(result.worst_abs_error)) +
         command_text(result.command) +
         table_of({"model", "precision", "size", "devices", "batch", "predicted", "measured", "predicted / measured"}, rows);
}

std::string markdown_text(const TrainResult& result) {
  std::vector<Cells> rows;
  for (const EpochReport& epoch : result.epochs)
    rows.push_back({fmt::format("{}", epoch.epoch), format_seconds(epoch.seconds),
                    fmt::format("{:.4f}", epoch.train_loss), fmt::format("{:.4f}", epoch.test_loss),
                    share_text(epoch.test_accuracy),
                    rate_text({epoch.samples_per_second, epoch.samples_per_second, epoch.samples_per_second}).value});
  return fmt::format("**Test accuracy {} after {} epochs**\n\n", share_text(result.final_accuracy),
                     result.epochs.size()) +
         command_text(result.command) +
         table_of({"epoch", "time", "train loss", "test loss", "test accuracy", result.model.sample_unit + "/s"}, rows);
}

std::string markdown_text(const BenchResult& result) {
  std::vector<Cells> rows;
  for (const BenchMetric& metric : result.metrics) {
    const Band band = band_of(metric.measured);
    rows.push_back({metric.name, fmt::format("{:.4g} {}", band.value, metric.unit),
                    fmt::format("{:.4g}..{:.4g}", band.low, band.high),
                    fmt::format("{}", metric.measured.repetitions.size())});
  }
  return command_text(result.command) + table_of({"metric", "median", "90 % band", "repetitions"}, rows);
}

}  // namespace dtbench
