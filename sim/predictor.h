// Predicts a plan on a described machine: nominal trace and intervals of the metrics that follow from it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/plan/run_spec.h"
#include "engine/plan/step_plan.h"
#include "engine/plan/step_runner.h"
#include "topologies/calibration.h"
#include "topologies/topology.h"

namespace dtbench {

/// 90 % interval. low <= value <= high.
struct Interval {
  double value = 0, low = 0, high = 0;
  bool operator==(const Interval&) const = default;
};

/// The link or unit that the step waits for most.
struct Bottleneck {
  std::string kind;  ///< "compute", "communication", "overhead", "input"
  std::string link;  ///< link class for communication, else ""
  double share = 0;  ///< of the step time
  bool operator==(const Bottleneck&) const = default;
};

struct Prediction {
  StepTrace trace;  ///< with nominal parameters
  Interval step_seconds;
  Interval exposed_communication_seconds;
  double compute_seconds = 0;  ///< compute stream busy
  double communication_seconds = 0;
  double input_seconds = 0;
  Bottleneck bottleneck;
  Origin origin = Origin::data_sheet;  ///< least trustworthy ingredient
  /// Step time of each parameter draw. Draw k of one seed is the same machine for every plan, so the ratio of two
  /// plans' k-th samples is a sample of the ratio.
  std::vector<double> step_samples;
};

struct PredictorOptions {
  Fidelity fidelity = Fidelity::closed_form;
  int samples = 200;  ///< parameter draws behind the intervals, always played in closed form
  std::uint64_t seed = 1;
};

/// The plan must have been made for this topology (rank numbering node by node); more ranks than devices are a
/// bad-input error. Intervals are 5 % and 95 % quantiles of the draws; those of the flow model are the closed form's,
/// moved with the nominal value.
Prediction predict(const StepPlan& plan, const Topology& topology, const Calibration& calibration,
                   const PredictorOptions& options = {});

/// Only the nominal step time: the fast path for sweeps, no trace. A test ties it to `predict`.
double predict_step_seconds(const StepPlan& plan, const Topology& topology, const Calibration& calibration);

/// The simulators as StepRunners.
std::unique_ptr<StepRunner> make_simulator(const Topology& topology, const Calibration& calibration, Fidelity fidelity);

/// The calibration with its compute rates scaled so that the plan's predicted throughput equals
/// `anchor_samples_per_second` (inverting through the communication). Bad-input error when no positive compute time can
/// explain the anchor.
Calibration anchored(const StepPlan& anchor_plan, const Topology& topology, const Calibration& calibration,
                     double anchor_samples_per_second);

}  // namespace dtbench
