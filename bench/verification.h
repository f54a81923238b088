// Does a calibration predict what it has not seen? Sizes and replica counts that are kept out of the calibration,
// predicted first, then measured side by side.
#pragma once

#include <span>
#include <vector>

#include "bench/cpu_measurement.h"
#include "bench/host_calibration.h"
#include "bench/machine.h"
#include "bench/study.h"
#include "bench/work_scope.h"
#include "bench/work_size.h"
#include "reports/verify_result.h"

namespace dtbench {

/// What is checked, of which a calibration must know nothing: the kept-out sizes of every model at every precision and replica count.
std::vector<WorkSize> verification_sizes(const WorkScope& scope);

struct VerifyWork {
  std::vector<WorkSize> sizes;
  std::vector<PlannedPoint> planned;  ///< one per size
};
VerifyWork plan_verification(const RunSpec& spec, const Topology& host, const WorkScope& scope);

/// One row per size, measured half still empty.
std::vector<VerifyRow> predict_rows(const VerifyWork& work, const Machine& host, const RunSpec& spec);

/// Calibrated steps that are measured again beside the rows: what differs then is the machine, not the prediction.
struct ControlWork {
  std::vector<SampledStep> steps;
  std::vector<StepPlan> plans;  ///< one per step
};
/// Some short ones of the calibrated steps, from the shortest on; none without calibrated steps.
ControlWork plan_controls(std::vector<SampledStep> calibrated, const RunSpec& asked);

/// The plans as trials, named by their sizes, controls first. Both works outlive them.
std::vector<CpuTrial> trials_of(const ControlWork& controls, const VerifyWork& work,
                                const std::vector<VerifyRow>& rows);

/// Those for which there was time.
std::vector<VerifyControl> measured_controls(const ControlWork& controls, std::span<const TrialResult> results);

/// Fills the measured halves and drops rows for which there was no time; the number of dropped rows.
int measure_rows(std::vector<VerifyRow>& rows, std::span<const TrialResult> results);

}  // namespace dtbench
