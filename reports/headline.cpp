#include "reports/headline.h"

#include <fmt/core.h>

#include <algorithm>

#include "reports/machine_text.h"
#include "reports/quantity_text.h"
#include "topologies/base/error.h"
#include "topologies/base/units.h"

namespace dtbench {

namespace {

constexpr double kNearlyLinear = 0.95;  // efficiency
constexpr double kClearGain = 1.02;     // throughput of the best count against the most devices

std::string limit_text(const RunResult& result, const Point& point) {
  const BottleneckReport& bottleneck = point.bottleneck;
  const std::string share = share_text(bottleneck.share);
  if (bottleneck.kind == "communication")
    return fmt::format("What limits it is {} ({} of the step).", link_name(result.topology, bottleneck.link), share);
  if (bottleneck.kind == "compute") return fmt::format("What limits it is computing ({} of the step).", share);
  if (bottleneck.kind == "overhead")
    return fmt::format("What limits it is starting operations, not running them ({} of the step).", share);
  if (bottleneck.kind == "input") return fmt::format("What limits it is the input ({} of the step).", share);
  return bottleneck.kind.empty() ? "" : fmt::format("What limits it is {} ({} of the step).", bottleneck.kind, share);
}

std::string range_text(const BandText& text) {
  const std::size_t dots = text.band.find("..");
  return dots == std::string::npos ? ""
                                   : fmt::format(" ({} to {})", text.band.substr(0, dots), text.band.substr(dots + 2));
}

// Against the base, whatever its device count.
Predicted gain_of(const Point& base, const Point& most) {
  const Predicted& speedup = *most.speedup.predicted;
  return {speedup.value / base.devices, speedup.low / base.devices, speedup.high / base.devices, speedup.origin};
}

std::string best_count_text(const RunResult& result) {
  const auto rate = [](const Point& p) {
    return p.samples_per_second.predicted ? p.samples_per_second.predicted->value : 0;
  };
  const auto best = std::max_element(result.points.begin(), result.points.end(),
                                     [&](const Point& a, const Point& b) { return rate(a) < rate(b); });
  if (rate(*best) < kClearGain * rate(result.points.back())) return "";
  return fmt::format(" {} train fastest.",
                     best->devices == 1 ? "1 device alone would" : fmt::format("{} devices would", best->devices));
}

Headline single(const RunResult& result, const Point& point) {
  if (!point.samples_per_second.predicted)
    return {Outlook::single, fmt::format("{}: not predicted.", count_text(result.topology, point.devices))};
  const BandText rate = rate_text(band_of(*point.samples_per_second.predicted));
  return {Outlook::single, fmt::format("{}: {} {}/s{}. {}", count_text(result.topology, point.devices), rate.value,
                                       result.model.sample_unit, range_text(rate), limit_text(result, point))};
}

Headline comparison(const RunResult& result, const Point& base, const Point& most) {
  const Predicted gain = gain_of(base, most);
  const BandText times = factor_text(band_of(gain));
  const Outlook outlook = gain.low > 1 ? Outlook::faster : gain.high < 1 ? Outlook::slower : Outlook::unclear;
  const char* answer = outlook == Outlook::faster ? "Yes" : outlook == Outlook::slower ? "No" : "Not surely";
  const double efficiency = most.efficiency.predicted ? most.efficiency.predicted->value : 0;
  const std::string linear =
      efficiency >= kNearlyLinear ? "nearly linear" : fmt::format("{} of linear", share_text(efficiency));
  return {outlook, fmt::format("{}: {} train {} times as fast as {}{}, {}.{} {}", answer,
                               count_text(result.topology, most.devices), times.value, base.devices, range_text(times),
                               linear, best_count_text(result), limit_text(result, most))};
}

}  // namespace

Headline headline(const RunResult& result) {
  DTBENCH_CHECK(!result.points.empty());
  const Point& base = result.points.front();
  const Point& most = result.points.back();
  Headline answer = &base == &most || !most.speedup.predicted ? single(result, most) : comparison(result, base, most);
  if (most.memory_bytes.verdict == "no")
    answer = {Outlook::does_not_fit,
              fmt::format("It does not fit: each device needs {} of its {}. If it did: {}",
                          format_bytes(static_cast<double>(most.memory_bytes.total)),
                          format_bytes(static_cast<double>(most.memory_bytes.capacity)), answer.text)};
  while (!answer.text.empty() && answer.text.back() == ' ') answer.text.pop_back();
  return answer;
}

}  // namespace dtbench
