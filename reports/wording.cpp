#include "reports/wording.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "reports/quantity_text.h"
#include "reports/scaling.h"
#include "topologies/base/units.h"

namespace dtbench {

namespace {

const char* origin_text(Origin origin) {
  switch (origin) {
    case Origin::measured:
      return "measured";
    case Origin::fitted:
      return "fitted to measurements";
    case Origin::data_sheet:
      return "UNCALIBRATED: data-sheet numbers";
    case Origin::assumed:
      return "UNCALIBRATED: assumed numbers";
  }
  return "";
}

std::string batch_text(const RunResult& result) {
  if (result.points.empty()) return "";
  const Point& point = result.points.front();
  switch (scaling_kind(result.points)) {
    case ScalingKind::weak:
      return fmt::format("; weak scaling: {} {} per replica", point.batch_per_replica, result.model.sample_unit);
    case ScalingKind::strong:
      return fmt::format("; strong scaling: {} {} in all", point.global_batch, result.model.sample_unit);
    case ScalingKind::mixed:
      return "; the batch differs from point to point";
  }
  return "";
}

}  // namespace

std::string options_text(const std::map<std::string, std::int64_t>& options) {
  std::string text;
  for (const auto& [name, value] : options) text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, value);
  return text;
}

std::string model_text(const ModelReport& model) {
  const std::string options = options_text(model.options);
  return fmt::format("{}{}: {} parameters, {}FLOP forward per sample ({})", model.name,
                     options.empty() ? "" : " (" + options + ")", format_count(static_cast<double>(model.parameters)),
                     format_count(model.forward_flops_per_sample), model.sample_unit);
}

std::string training_text(const RunResult& result) {
  return fmt::format("{}, {}, {}{}", result.spec.strategy, result.spec.precision, result.spec.optimizer,
                     batch_text(result));
}

std::string calibration_text(const CalibrationReport& calibration) {
  std::string text = fmt::format("'{}' ({})", calibration.name, origin_text(calibration.origin));
  if (calibration.holdout_error)
    text += fmt::format(", {} off on sizes left out of the fit", share_text(*calibration.holdout_error));
  else if (!calibration.reason.empty())
    text += ", " + calibration.reason;
  return text;
}

std::string timing_text(const std::map<std::string, double>& seconds_by_phase) {
  double total = 0;
  std::vector<std::pair<double, std::string>> phases;
  for (const auto& [phase, seconds] : seconds_by_phase) {
    if (phase != "total") phases.emplace_back(seconds, phase);
    if (phase != "total") total += seconds;
  }
  if (seconds_by_phase.empty()) return "";
  if (const auto whole = seconds_by_phase.find("total"); whole != seconds_by_phase.end()) total = whole->second;
  std::stable_sort(phases.begin(), phases.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text = fmt::format("dtbench took {}", format_seconds(total));
  for (std::size_t i = 0; i < phases.size(); ++i)
    text += fmt::format("{}{} {}", i == 0 ? ": " : ", ", phases[i].second, format_seconds(phases[i].first));
  return text;
}

std::string devices_count(int devices) { return devices == 1 ? "1 device" : fmt::format("{} devices", devices); }

std::string ratio_text(double ratio) { return fmt::format("{:.2f}", ratio); }

}  // namespace dtbench
