#include <fmt/core.h>

#include "reports/quantity_text.h"
#include "reports/terminal.h"
#include "topologies/base/units.h"

namespace dtbench {

namespace {

/// The median with its interval, in the metric's unit.
BandText text_of(const BenchMetric& metric) {
  const Band band = band_of(metric.measured);
  if (metric.unit == "s") return seconds_text(band);
  return metric.unit.ends_with("/s") ? rate_text(band) : factor_text(band);
}

/// A detail as text; "" when the metric has none of that name.
template <typename Text>
std::string detail(const BenchMetric& metric, const char* name, Text text) {
  const auto found = metric.details.find(name);
  return found == metric.details.end() ? "" : text(found->second);
}

std::vector<Cell> cells_of(const BenchMetric& metric) {
  const BandText measured = text_of(metric);
  return {{metric.name},
          {measured.value},
          {measured.band, Role::faint},
          {fmt::format("{}", metric.measured.repetitions.size())},
          {detail(metric, "samples_per_second", [](double rate) { return rate_text({rate, rate, rate}).value; })},
          {detail(metric, "fraction_of_peak", share_text)}};
}

}  // namespace

std::string terminal_text(const BenchResult& result, const TextStyle& style) {
  TextTable table({{"metric", Align::left}, {"median"}, {"90 % band"}, {"turns"}, {"samples/s"}, {"of peak"}});
  for (const BenchMetric& metric : result.metrics) table.add_row(cells_of(metric));
  const auto disturbed = result.environment.find("disturbed");
  std::string text = table.text(style);
  if (disturbed != result.environment.end() && disturbed->second == "yes")
    text += style.paint(Role::warning, "The machine was not quiet: these numbers are disturbed.") + "\n";
  return text + "of peak: FLOPs of the plan over the float32 multiply-add rate of the same cores, measured now\n\n" +
         timing_line(result.timing_of_dtbench, style);
}

}  // namespace dtbench
