#include "sim/model/step_fit.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/model/closed_form.h"
#include "sim/model/cost_model.h"

namespace dtbench {

namespace {

constexpr double kOverheadLnSd = 0.5, kSlowdownLnSd = 0.2;
/// How much better the steps must come out, each, for a launch longer by a factor e than that of collectives alone.
constexpr double kDoubt = 0.01;

/// Steps made ready to be played under many calibrations.
class Steps {
 public:
  Steps(const std::vector<StepSample>& samples, const Topology& topology, bool parallel)
      : topology_(topology), capacities_(topology) {
    for (const StepSample& sample : samples)
      if ((sample.devices > 1) == parallel && sample.step_seconds > 0)
        steps_.push_back({&sample, WalkProgram(sample.plan)});
  }
  std::size_t count() const { return steps_.size(); }

  double misfit(const Calibration& calibration) {
    double sum = 0;
    for (std::size_t i = 0; i < count(); ++i) sum += std::abs(std::log(played(i, calibration) / measured(i)));
    return sum;
  }
  double played(std::size_t i, const Calibration& calibration) {
    return closed_form_step_seconds(steps_[i].program,
                                    walk_times(steps_[i].sample->plan, topology_, calibration, capacities_));
  }
  double measured(std::size_t i) const { return steps_[i].sample->step_seconds; }

 private:
  struct Step {
    const StepSample* sample;
    WalkProgram program;
  };
  const Topology& topology_;
  CapacityTable capacities_;
  std::vector<Step> steps_;
};

/// The best overhead is the rest of one of the steps, or none.
void fit_overhead(Steps& alone, Calibration& calibration) {
  calibration.step_overhead_seconds.value = 0;
  std::vector<double> rests;
  for (std::size_t i = 0; i < alone.count(); ++i) rests.push_back(alone.measured(i) - alone.played(i, calibration));
  double best = 0, least = alone.misfit(calibration);
  for (const double rest : rests) {
    if (rest <= 0) continue;
    calibration.step_overhead_seconds.value = rest;
    if (const double misfit = alone.misfit(calibration); misfit < least) {
      least = misfit;
      best = rest;
    }
  }
  calibration.step_overhead_seconds = {best, kOverheadLnSd, Origin::measured,
                                       fmt::format("what {} one-device steps take beyond their ops", alone.count())};
}

/// Tried on a grid: the two replace each other where a step has one short collective, and do not elsewhere.
void fit_overlap(Steps& parallel, LinkCalibration* link, Calibration& calibration) {
  constexpr int kSlowdowns = 10;
  std::vector<double> launches = {link ? std::max(link->launch_seconds.value, 1e-9) : 0};
  if (link)
    for (double more = 1e-6; more < 1.1e-3; more *= 1.6) launches.push_back(launches.front() + more);
  double least = std::numeric_limits<double>::infinity(), slowdown = 0, launch = launches.front();
  for (const double tried_launch : launches)
    for (int i = 0; i <= kSlowdowns; ++i) {
      if (link) link->launch_seconds.value = tried_launch;
      calibration.overlap_slowdown.value = double(i) / kSlowdowns;
      const double doubt = link ? kDoubt * std::log(tried_launch / launches.front()) : 0;
      const double misfit = parallel.misfit(calibration) + doubt * double(parallel.count());
      if (misfit >= least) continue;
      least = misfit;
      slowdown = calibration.overlap_slowdown.value;
      launch = tried_launch;
    }
  const std::string source = fmt::format("{} steps on several devices", parallel.count());
  calibration.overlap_slowdown = {slowdown, kSlowdownLnSd, Origin::measured, source};
  if (link) link->launch_seconds = {launch, kOverheadLnSd, Origin::measured, source};
}

}  // namespace

void fit_steps(const std::vector<StepSample>& samples, const Topology& topology, Calibration& calibration) {
  if (Steps alone(samples, topology, false); alone.count() > 0) fit_overhead(alone, calibration);
  Steps parallel(samples, topology, true);
  if (parallel.count() == 0) return;
  const auto link = calibration.links.find(topology.within_node.link_class);
  fit_overlap(parallel, link == calibration.links.end() ? nullptr : &link->second, calibration);
}

}  // namespace dtbench
