#include "bench/calibration_text.h"

#include <fmt/core.h>

#include <algorithm>

#include "topologies/base/units.h"

namespace dtbench {

namespace {

/// "12.3..240 GFLOP/s +-4 %"
std::string curve_text(const std::optional<RateCurve>& curve, const char* unit) {
  if (!curve) return "-";
  const auto [low, high] =
      std::minmax_element(curve->points.begin(), curve->points.end(),
                          [](const RateCurve::Point& a, const RateCurve::Point& b) { return a.rate < b.rate; });
  return fmt::format("{:.3g}..{:.3g} G{}/s +-{:.0f} %", low->rate / kGiga, high->rate / kGiga, unit,
                     100 * curve->ln_sd);
}

std::string op_table(const Calibration& calibration, const TextStyle& style) {
  TextTable table({{"operation", Align::left}, {"per call"}, {"arithmetic"}, {"memory"}});
  for (const auto& [key, op] : calibration.ops)
    table.add_row({{key},
                   {format_seconds(op.overhead_seconds.value)},
                   {curve_text(op.flop_rate, "FLOP")},
                   {curve_text(op.byte_rate, "B")}});
  return table.text(style);
}

std::string link_table(const Calibration& calibration, const TextStyle& style) {
  TextTable table({{"link", Align::left}, {"start"}, {"per round"}, {"bandwidth reached"}});
  for (const auto& [name, link] : calibration.links)
    table.add_row({{name},
                   {format_seconds(link.launch_seconds.value)},
                   {format_seconds(link.alpha_seconds.value)},
                   {fmt::format("{:.0f} %", 100 * link.efficiency.value)}});
  return table.text(style);
}

}  // namespace

std::string calibration_text(const Calibration& calibration, const TextStyle& style) {
  std::string text = fmt::format("{} ({})\n", calibration.name, name_of(calibration.origin));
  text += op_table(calibration, style) + link_table(calibration, style);
  text += fmt::format("step overhead {}, overlap slowdown {:.2f}, crowding {:.2f}\n",
                      format_seconds(calibration.step_overhead_seconds.value), calibration.overlap_slowdown.value,
                      calibration.crowding.value);
  text += calibration.holdout_error
              ? fmt::format("median error on sizes left out of the fit: {:.1f} %\n", 100 * *calibration.holdout_error)
              : std::string("never checked on sizes left out of the fit\n");
  return text;
}

}  // namespace dtbench
