#include "sim/model/calibration_fit.h"

#include <fmt/core.h>

#include <cmath>
#include <utility>

#include "sim/model/link_fit.h"
#include "sim/model/op_fit.h"
#include "sim/model/robust_statistics.h"
#include "sim/model/step_fit.h"
#include "topologies/base/error.h"

namespace dtbench {

namespace {

void check_sample(const std::string& what, double seconds, double amount) {
  if (!(seconds > 0) || !std::isfinite(seconds) || !(amount >= 0) || !std::isfinite(amount))
    throw_bad_input({"calibration sample of " + what, fmt::format("{} s for {}", seconds, amount),
                     "a positive time for a size of at least 0", ""});
}

void check(const CalibrationSamples& samples) {
  if (samples.ops.empty())
    throw_bad_input({"calibration", "no timed operation", "at least one", "allow more time with --time-budget"});
  for (const OpSample& sample : samples.ops) check_sample(sample.kind, sample.seconds, sample.flops + sample.bytes);
  for (const CollectiveSample& sample : samples.collectives)
    check_sample("all-reduce over " + sample.link_class, sample.seconds, sample.bytes);
}

}  // namespace

Calibration fit_calibration(const CalibrationSamples& samples, const Calibration& start, const Topology& topology) {
  check(samples);
  Calibration calibration = start;
  calibration.origin = Origin::measured;
  const OpFits fits = fit_ops(samples.ops);
  for (const auto& [key, op] : fits.ops) calibration.ops[key] = op;
  calibration.holdout_error.reset();
  if (!fits.held_out.empty()) calibration.holdout_error = weighted_median(fits.held_out);
  for (auto& [link_class, link] : fit_links(samples.collectives, topology)) calibration.links[link_class] = link;
  const Parameter crowding = start.crowding.value >= 1
                                 ? start.crowding
                                 : Parameter{1, 0, Origin::assumed, "never timed with all devices busy"};
  calibration.crowding = fit_crowding(samples.ops, crowding);
  fit_steps(samples.steps, topology, calibration);
  return calibration;
}

}  // namespace dtbench
