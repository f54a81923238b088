#include "reports/terminal.h"

#include <fmt/core.h>

#include <algorithm>

#include "reports/comparison.h"
#include "reports/headline.h"
#include "reports/machine_text.h"
#include "reports/quantity_text.h"
#include "reports/scaling.h"
#include "reports/statistics.h"
#include "reports/wording.h"
#include "topologies/base/units.h"

namespace dtbench {

namespace {

Role role_of(Outlook outlook) {
  if (outlook == Outlook::faster || outlook == Outlook::single) return Role::good;
  return outlook == Outlook::unclear ? Role::warning : Role::bad;
}

Role role_of(const std::string& severity) {
  return severity == "error" ? Role::bad : severity == "warning" ? Role::warning : Role::faint;
}

std::string row(const char* label, const std::string& text, const TextStyle& style) {
  return text.empty() ? "" : labelled({label, Role::heading}, kLabelWidth, text, style);
}

std::string headline_text(const RunResult& result, const TextStyle& style) {
  const Headline answer = headline(result);
  const std::string text = labelled({"", Role::plain}, 0, answer.text, style);
  const std::size_t end = answer.text.find(':');
  if (end == std::string::npos) return text;
  const std::size_t start = text.find(answer.text.substr(0, end));
  return start == std::string::npos
             ? text
             : text.substr(0, start) + style.paint(role_of(answer.outlook), text.substr(start, end)) +
                   text.substr(start + end);
}

std::string context_text(const RunResult& result, const TextStyle& style) {
  std::string text = row("machine", devices_text(result.topology, result.spec.precision), style);
  text += row("links", links_text(result.topology), style);
  for (const std::string& assumption : result.topology.assumptions) text += row("assumed", assumption, style);
  text += row("model", model_text(result.model), style);
  text += row("training", training_text(result), style);
  return text + row("calibration", calibration_text(result.calibration), style);
}

// A quantity takes two lines of its column: the value, and its band below.
struct TwoLines {
  Cell value{"-", Role::faint}, band;
};

TwoLines two_lines(const Quantity& quantity, BandText (*text_of)(const Band&)) {
  if (!quantity.predicted) return {};
  BandText text = text_of(band_of(*quantity.predicted));
  return {{std::move(text.value)}, {std::move(text.band), Role::faint}};
}

TwoLines memory_lines(const MemoryReport& memory) {
  const double share =
      static_cast<double>(memory.total) / static_cast<double>(std::max<std::int64_t>(1, memory.capacity));
  const Role role = memory.verdict == "fits" ? Role::faint : memory.verdict == "tight" ? Role::warning : Role::bad;
  return {{format_bytes(static_cast<double>(memory.total))},
          {fmt::format("{} {}", share_text(share), memory.verdict == "no" ? "NO" : memory.verdict), role}};
}

TwoLines bottleneck_lines(const BottleneckReport& bottleneck) {
  if (bottleneck.kind.empty()) return {};
  return {{bottleneck.link.empty() ? bottleneck.kind : bottleneck.link}, {share_text(bottleneck.share), Role::faint}};
}

void add_lines(TextTable& table, const std::string& head, const std::vector<TwoLines>& columns) {
  std::vector<Cell> values{{head}}, bands{{}};
  for (const TwoLines& column : columns) {
    values.push_back(column.value);
    bands.push_back(column.band);
  }
  table.add_row(std::move(values));
  table.add_row(std::move(bands));
}

std::string scaling_text(const RunResult& result, const TextStyle& style) {
  TextTable table({{"devices"},
                   {"step time"},
                   {result.model.sample_unit + "/s"},
                   {"speed-up"},
                   {"efficiency"},
                   {"exposed comm"},
                   {"memory"},
                   {"limited by", Align::left}});
  for (const Point& point : result.points)
    add_lines(table, fmt::format("{}", point.devices),
              {two_lines(point.step_seconds, seconds_text), two_lines(point.samples_per_second, rate_text),
               two_lines(point.speedup, factor_text), two_lines(point.efficiency, percent_text),
               two_lines(point.exposed_communication_seconds, seconds_text), memory_lines(point.memory_bytes),
               bottleneck_lines(point.bottleneck)});
  return table.text(style);
}

// Of the largest point of a sequence model; "" for others.
std::string tokens_text(const RunResult& result) {
  const auto tokens = tokens_per_second(result.model, result.points.back());
  if (!tokens || !tokens->predicted) return "";
  const BandText rate = rate_text(band_of(*tokens->predicted));
  return fmt::format("{} tokens/s ({}) on {}, padding included", rate.value, rate.band,
                     devices_count(result.points.back().devices));
}

std::string loop_table(const std::vector<Point>& points, const std::string& sample_unit, const TextStyle& style) {
  TextTable table({{"devices"},
                   {"predicted"},
                   {"90 % band"},
                   {"measured"},
                   {"uncertainty"},
                   {"steps"},
                   {"ratio"},
                   {sample_unit + "/s"},
                   {"", Align::left}});
  for (const Point& point : points) {
    if (!point.step_seconds.predicted || !point.step_seconds.measured) continue;
    const BandText predicted = seconds_text(band_of(*point.step_seconds.predicted));
    const BandText measured = seconds_text(band_of(*point.step_seconds.measured));
    const Comparison comparison = compare(*point.step_seconds.predicted, *point.step_seconds.measured);
    const double rate = static_cast<double>(point.global_batch) / point.step_seconds.measured->value;
    table.add_row({{fmt::format("{}", point.devices)},
                   {predicted.value},
                   {predicted.band, Role::faint},
                   {measured.value},
                   {measured.band, Role::faint},
                   {fmt::format("{}", point.step_seconds.measured->repetitions.size())},
                   {ratio_text(comparison.ratio)},
                   {rate_text({rate, rate, rate}).value},
                   comparison.inside ? Cell{"in band", Role::good} : Cell{"out of band", Role::warning}});
  }
  return table.text(style);
}

std::string closed_loop_text(const RunResult& result, const TextStyle& style) {
  const ClosedLoop& loop = result.closed_loop;
  const bool own = compare_step_seconds(loop.points).empty();
  const std::vector<Point>& points = own ? result.points : loop.points;
  const std::vector<Comparison> comparisons = compare_step_seconds(points);
  if (comparisons.empty())
    return row("closed loop", "none: " + (loop.reason.empty() ? "nothing was measured" : loop.reason), style);
  std::vector<double> errors;
  for (const Comparison& comparison : comparisons) errors.push_back(comparison.abs_error);
  const std::string what = own ? "the machine above" : fmt::format("this host ({})", loop.topology);
  return row("closed loop",
             fmt::format("the same model and strategy on {}, predicted and then measured: off by {} (median). {}", what,
                         share_text(median(errors)), own ? "" : calibration_text(loop.calibration)),
             style) +
         loop_table(points, result.model.sample_unit, style);
}

std::string findings_text(const std::vector<Finding>& findings, const TextStyle& style) {
  std::string text;
  for (const Finding& finding : findings)
    text += labelled({finding.severity, role_of(finding.severity)}, kLabelWidth,
                     fmt::format("{} [{}]", finding.text, finding.code), style);
  return text;
}

std::string faint_line(const std::string& text, const TextStyle& style) {
  return text.empty() ? "" : style.paint(Role::faint, text) + "\n";
}

}  // namespace

std::string timing_line(const std::map<std::string, double>& seconds_by_phase, const TextStyle& style) {
  return faint_line(timing_text(seconds_by_phase), style);
}

std::string terminal_text(const RunResult& result, const TextStyle& style) {
  std::string text = headline_text(result, style) + "\n" + context_text(result, style) + "\n";
  text += scaling_text(result, style);
  text += faint_line(fmt::format("second line: 90 % band; {} scaling; speed-up against {}",
                                 name_of(scaling_kind(result.points)), devices_count(result.points.front().devices)),
                     style);
  text += faint_line(tokens_text(result), style);
  text += "\n" + closed_loop_text(result, style);
  if (!result.findings.empty()) text += "\n" + findings_text(result.findings, style);
  return text + "\n" + timing_line(result.timing_of_dtbench, style);
}

}  // namespace dtbench
