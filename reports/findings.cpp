#include "reports/findings.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <functional>
#include <string>

#include "reports/comparison.h"
#include "reports/machine_text.h"
#include "reports/quantity_text.h"
#include "reports/statistics.h"
#include "reports/wording.h"
#include "topologies/base/units.h"

namespace dtbench {

namespace {

constexpr double kLargeExtrapolatedShare = 0.1;  // of compute time
constexpr double kLargeLoopError = 0.15;         // twice the error that calibration aims at
constexpr double kLargeHoldoutError = 0.2;
constexpr double kLargeSpread = 0.1;  // of a measured step time
constexpr std::size_t kFewRepetitions = 3;
constexpr double kLargeExposedShare = 0.1;  // of the step
constexpr double kLowUtilisation = 0.25;    // of the data sheet's peak
constexpr double kSuperlinear = 1.05;
constexpr double kWideBand = 0.5;    // half-width over value
constexpr double kClearLoss = 0.98;  // throughput against the best smaller device count

Finding finding(std::string text, std::map<std::string, double> evidence) {
  return {"", "", std::move(text), std::move(evidence)};
}

const Point* first_point(const RunResult& result, const std::function<bool(const Point&)>& matches) {
  const auto it = std::find_if(result.points.begin(), result.points.end(), matches);
  return it == result.points.end() ? nullptr : &*it;
}

// Points of the machine asked for and of the closed loop: where measurements stand.
std::vector<Point> all_points(const RunResult& result) {
  std::vector<Point> points = result.points;
  points.insert(points.end(), result.closed_loop.points.begin(), result.closed_loop.points.end());
  return points;
}

bool is_uncalibrated(const CalibrationReport& calibration) {
  return calibration.origin == Origin::data_sheet || calibration.origin == Origin::assumed;
}

Finding memory_finding(const RunResult& result, const char* verdict, const char* advice) {
  const Point* point = first_point(result, [&](const Point& p) { return p.memory_bytes.verdict == verdict; });
  if (!point) return {};
  const auto total = static_cast<double>(point->memory_bytes.total);
  const auto capacity = static_cast<double>(point->memory_bytes.capacity);
  return finding(fmt::format("Each device needs {} of its {} at {}: {}.", format_bytes(total), format_bytes(capacity),
                             devices_count(point->devices), advice),
                 {{"devices", point->devices}, {"total_bytes", total}, {"capacity_bytes", capacity}});
}

Finding does_not_fit(const RunResult& result) {
  return memory_finding(result, "no", "lower --batch-per-replica or take a device with more memory");
}

Finding tight_memory(const RunResult& result) {
  return memory_finding(result, "tight",
                        "it may still fail, since allocators fragment and libraries take their part; leave 10 % free");
}

Finding uncalibrated(const RunResult& result) {
  if (!is_uncalibrated(result.calibration)) return {};
  return finding(fmt::format("The predictions rest on data-sheet numbers ('{}'), not on measurements of {}: trust the "
                             "bands, not the middle. Give one measured throughput with --anchor, or run `dtbench "
                             "calibrate` on that machine.",
                             result.calibration.name, result.topology.device.name),
                 {});
}

Finding poor_calibration(const RunResult& result) {
  const auto error = result.calibration.holdout_error;
  if (!error || *error <= kLargeHoldoutError) return {};
  return finding(fmt::format("The calibration '{}' was off by {} on sizes left out of its fit: expect no less of these "
                             "predictions, and calibrate again on a quiet machine.",
                             result.calibration.name, share_text(*error)),
                 {{"holdout_error", *error}});
}

Finding extrapolated(const RunResult& result) {
  if (is_uncalibrated(result.calibration)) return {};
  const auto worst = std::max_element(result.points.begin(), result.points.end(), [](const Point& a, const Point& b) {
    return a.extrapolated_share < b.extrapolated_share;
  });
  if (worst == result.points.end() || worst->extrapolated_share <= kLargeExtrapolatedShare) return {};
  return finding(fmt::format("{} of the compute time at {} is in operations smaller or larger than anything the "
                             "calibration measured: calibrate with sizes near this model's.",
                             share_text(worst->extrapolated_share), devices_count(worst->devices)),
                 {{"devices", worst->devices}, {"share", worst->extrapolated_share}});
}

Finding closed_loop_error(const RunResult& result) {
  const auto error = result.closed_loop.median_abs_error;
  if (!error || *error <= kLargeLoopError) return {};
  return finding(
      fmt::format("On this host the predictions were off by {} (median): take the bands of the other machine "
                  "as at least that wide, and calibrate this host again on a quiet machine.",
                  share_text(*error)),
      {{"median_abs_error", *error}});
}

Finding band_missed(const RunResult& result) {
  const std::vector<Comparison> comparisons = compare_step_seconds(all_points(result));
  const auto missed = std::count_if(comparisons.begin(), comparisons.end(), [](const auto& c) { return !c.inside; });
  if (missed == 0) return {};
  return finding(
      fmt::format("{} of {} measured step times lie outside their predicted band, of which one in ten should: "
                  "the calibration does not describe this run.",
                  missed, comparisons.size()),
      {{"missed", static_cast<double>(missed)}, {"measured", static_cast<double>(comparisons.size())}});
}

Finding disturbed_measurement(const RunResult& result) {
  for (const Point& point : all_points(result)) {
    if (!point.step_seconds.measured || point.step_seconds.measured->repetitions.size() < kFewRepetitions) continue;
    const double spread = relative_spread(point.step_seconds.measured->repetitions);
    if (spread <= kLargeSpread) continue;
    return finding(
        fmt::format("Repeated steps at {} differ by {}: something else uses this machine. Measure again when "
                    "it is quiet, or raise --time-budget.",
                    devices_count(point.devices), share_text(spread)),
        {{"devices", point.devices}, {"relative_spread", spread}});
  }
  return {};
}

Finding few_repetitions(const RunResult& result) {
  for (const Point& point : all_points(result)) {
    if (!point.step_seconds.measured || point.step_seconds.measured->repetitions.size() >= kFewRepetitions) continue;
    const auto count = static_cast<double>(point.step_seconds.measured->repetitions.size());
    return finding(fmt::format("Only {} measured steps at {}: raise --time-budget to learn how much they scatter.",
                               count, devices_count(point.devices)),
                   {{"devices", point.devices}, {"repetitions", count}});
  }
  return {};
}

double exposed_share(const Point& point) {
  const auto& exposed = point.exposed_communication_seconds.predicted;
  const auto& step = point.step_seconds.predicted;
  return exposed && step ? exposed->value / step->value : 0;
}

Finding communication_bound(const RunResult& result) {
  const Point* point = first_point(result, [](const Point& p) {
    return p.bottleneck.kind == "communication" && exposed_share(p) > kLargeExposedShare;
  });
  if (!point) return {};
  const double share = exposed_share(*point);
  return finding(
      fmt::format("At {} the step waits {} of its time for {}: a larger --batch-per-replica gives each exchange more "
                  "computing to hide behind; a faster link shortens it.",
                  devices_count(point->devices), share_text(share), link_name(result.topology, point->bottleneck.link)),
      {{"devices", point->devices}, {"exposed_share", share}});
}

Finding bound_by(const RunResult& result, const char* kind, const char* text) {
  const Point* point = first_point(result, [&](const Point& p) { return p.bottleneck.kind == kind; });
  if (!point) return {};
  return finding(fmt::format(fmt::runtime(text), share_text(point->bottleneck.share), devices_count(point->devices)),
                 {{"devices", point->devices}, {"share", point->bottleneck.share}});
}

Finding launch_bound(const RunResult& result) {
  return bound_by(result, "overhead",
                  "{} of the step at {} goes into starting operations, not into running them: a larger "
                  "--batch-per-replica costs almost nothing.");
}

Finding input_bound(const RunResult& result) {
  return bound_by(result, "input",
                  "{} of the step at {} is spent waiting for input: more devices will not help before it is faster.");
}

Finding small_batch(const RunResult& result) {
  const auto peak = peak_flops(result.topology.device, result.spec.precision);
  if (!peak || result.points.empty() || !result.points.front().step_seconds.predicted) return {};
  const Point& point = result.points.front();
  if (point.bottleneck.kind != "compute") return {};
  // Backward costs twice the forward pass.
  const double flops = 3 * result.model.forward_flops_per_sample * static_cast<double>(point.batch_per_replica);
  const double utilisation = flops / point.step_seconds.predicted->value / *peak;
  if (utilisation >= kLowUtilisation) return {};
  return finding(
      fmt::format("A device reaches {} of its dense {} peak with {} {} each: the operations are too small for "
                  "it; try a larger --batch-per-replica.",
                  share_text(utilisation), result.spec.precision, point.batch_per_replica, result.model.sample_unit),
      {{"utilisation", utilisation}, {"batch_per_replica", static_cast<double>(point.batch_per_replica)}});
}

Finding precision_without_units(const RunResult& result) {
  const auto peak = peak_flops(result.topology.device, result.spec.precision);
  const auto whole = peak_flops(result.topology.device, "float32");
  if (result.spec.precision == "float32" || !peak || !whole || *peak > *whole) return {};
  return finding(fmt::format("{} multiplies no faster with {} than with float32: it saves memory, and its casts cost time.",
                             result.topology.device.name, result.spec.precision),
                 {{"peak_ratio", *peak / *whole}});
}

Finding slower_with_more(const RunResult& result) {
  const Point* best = nullptr;
  for (const Point& point : result.points) {
    const auto& rate = point.samples_per_second.predicted;
    if (!rate) continue;
    if (best && rate->value < kClearLoss * best->samples_per_second.predicted->value)
      return finding(fmt::format("{} train slower than {}: the exchange costs more than the added devices give.",
                                 devices_count(point.devices), devices_count(best->devices)),
                     {{"devices", point.devices},
                      {"best_devices", best->devices},
                      {"ratio", rate->value / best->samples_per_second.predicted->value}});
    if (!best || rate->value > best->samples_per_second.predicted->value) best = &point;
  }
  return {};
}

Finding superlinear(const RunResult& result) {
  for (const Point& point : all_points(result)) {
    const double predicted = point.efficiency.predicted ? point.efficiency.predicted->value : 0;
    const double measured = point.efficiency.measured ? point.efficiency.measured->value : 0;
    const double value = std::max(predicted, measured);
    if (value <= kSuperlinear) continue;
    return finding(fmt::format("{} {} at {}: more than linear. Either the smaller run was slow (cold caches, another "
                               "job), or the work per device fits a cache only when it is split.",
                               measured > predicted ? "Measured efficiency" : "Predicted efficiency", share_text(value),
                               devices_count(point.devices)),
                   {{"devices", point.devices}, {"efficiency", value}});
  }
  return {};
}

Finding wide_band(const RunResult& result) {
  for (const Point& point : result.points) {
    const auto& step = point.step_seconds.predicted;
    if (!step || step->value <= 0) continue;
    const double half_width = (step->high - step->low) / 2 / step->value;
    if (half_width <= kWideBand) continue;
    return finding(
        fmt::format("The band of the step time at {} is +-{}: good for choosing between machines that differ "
                    "by more than that. A calibration or an --anchor narrows it.",
                    devices_count(point.devices), share_text(half_width)),
        {{"devices", point.devices}, {"half_width", half_width}});
  }
  return {};
}

Finding no_closed_loop(const RunResult& result) {
  if (result.closed_loop.median_abs_error || !compare_step_seconds(result.points).empty()) return {};
  const std::string& reason = result.closed_loop.reason;
  return finding(fmt::format("Nothing was measured on this host ({}): the predictions are unchecked.",
                             reason.empty() ? "no reason given" : reason),
                 {});
}

// Errors stand before warnings before information.
constexpr std::array kRules = {
    FindingRule{"does-not-fit", "error", does_not_fit},
    FindingRule{"uncalibrated", "warning", uncalibrated},
    FindingRule{"poor-calibration", "warning", poor_calibration},
    FindingRule{"closed-loop-error", "warning", closed_loop_error},
    FindingRule{"band-missed", "warning", band_missed},
    FindingRule{"disturbed-measurement", "warning", disturbed_measurement},
    FindingRule{"extrapolated", "warning", extrapolated},
    FindingRule{"tight-memory", "warning", tight_memory},
    FindingRule{"slower-with-more-devices", "warning", slower_with_more},
    FindingRule{"communication-bound", "warning", communication_bound},
    FindingRule{"launch-bound", "warning", launch_bound},
    FindingRule{"input-bound", "warning", input_bound},
    FindingRule{"precision-without-units", "warning", precision_without_units},
    FindingRule{"small-batch", "info", small_batch},
    FindingRule{"wide-band", "info", wide_band},
    FindingRule{"superlinear", "info", superlinear},
    FindingRule{"few-repetitions", "info", few_repetitions},
    FindingRule{"no-closed-loop", "info", no_closed_loop},
};

}  // namespace

std::span<const FindingRule> finding_rules() { return kRules; }

std::vector<Finding> find_findings(const RunResult& result) {
  std::vector<Finding> findings;
  for (const FindingRule& rule : kRules) {
    Finding found = rule.check(result);
    if (found.text.empty()) continue;
    found.code = rule.code;
    found.severity = rule.severity;
    findings.push_back(std::move(found));
  }
  return findings;
}

}  // namespace dtbench
