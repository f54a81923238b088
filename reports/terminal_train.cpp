#include <fmt/core.h>

#include <cmath>

#include "reports/quantity_text.h"
#include "reports/terminal.h"
#include "reports/wording.h"
#include "topologies/base/units.h"

namespace dtbench {

namespace {

std::string accuracy_text(double accuracy) { return fmt::format("{:.2f} %", 100 * accuracy); }

std::string verdict_text(const TrainResult& result) {
  double seconds = 0;
  for (const EpochReport& epoch : result.epochs) seconds += epoch.seconds;
  std::string text = fmt::format("Test accuracy {} after {} epochs ({} of training) on {} {}",
                                 accuracy_text(result.final_accuracy), result.epochs.size(), format_seconds(seconds),
                                 result.replicas, result.replicas == 1 ? "replica" : "replicas");
  if (result.target)
    text += fmt::format(": the target of {} was {}", accuracy_text(*result.target),
                        result.reached.value_or(false) ? "reached" : "missed");
  text += ".";
  if (result.model.sample_unit == "sequences" && !result.epochs.empty())
    text += fmt::format(" Perplexity {:.2f} a token.", std::exp(result.epochs.back().test_loss));
  return text;
}

std::string loss_scale_text(const LossScaleReport& report) {
  std::string text = fmt::format("{:.0f} at the end; {} {} skipped", report.scale, report.skipped_steps,
                                 report.skipped_steps == 1 ? "step" : "steps");
  if (!report.culprit.empty()) text += fmt::format(", the last since '{}' was not finite", report.culprit);
  return text;
}

Role verdict_role(const TrainResult& result) {
  if (!result.target) return Role::heading;
  return result.reached.value_or(false) ? Role::good : Role::bad;
}

}  // namespace

std::string terminal_text(const TrainResult& result, const TextStyle& style) {
  TextTable table(
      {{"epoch"}, {"time"}, {"train loss"}, {"test loss"}, {"test accuracy"}, {result.model.sample_unit + "/s"}});
  for (const EpochReport& epoch : result.epochs) {
    const Band rate{epoch.samples_per_second, epoch.samples_per_second, epoch.samples_per_second};
    table.add_row({{fmt::format("{}", epoch.epoch)},
                   {format_seconds(epoch.seconds)},
                   {fmt::format("{:.4f}", epoch.train_loss)},
                   {fmt::format("{:.4f}", epoch.test_loss)},
                   {accuracy_text(epoch.test_accuracy)},
                   {rate_text(rate).value}});
  }
  const std::string scale =
      result.loss_scale
          ? labelled({"loss scale", Role::heading}, kLabelWidth, loss_scale_text(*result.loss_scale), style)
          : "";
  return style.paint(verdict_role(result), labelled({}, 0, verdict_text(result), style)) + "\n" +
         labelled({"model", Role::heading}, kLabelWidth, model_text(result.model), style) +
         labelled({"data", Role::heading}, kLabelWidth, result.data, style) + scale + "\n" + table.text(style) + "\n" +
         timing_line(result.timing_of_dtbench, style);
}

}  // namespace dtbench
