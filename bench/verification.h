// Does a calibration predict what it has not seen? Sizes and replica counts that are kept out of the calibration,
// predicted first, then measured side by side.
#pragma once

#include <vector>

#include "bench/cpu_measurement.h"
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

/// The plans as trials, named by their sizes. `work` outlives them.
std::vector<CpuTrial> trials_of(const VerifyWork& work, const std::vector<VerifyRow>& rows);

/// Fills the measured halves and drops rows for which there was no time; the number of dropped rows.
int measure_rows(std::vector<VerifyRow>& rows, const CpuMeasurement& measurement);

}  // namespace dtbench
