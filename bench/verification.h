// Does a calibration predict what it has not seen? Sizes and replica counts that are kept out of the calibration,
// predicted first, then measured side by side.
#pragma once

#include <vector>

#include "bench/calibration_grid.h"
#include "bench/cpu_measurement.h"
#include "bench/machine.h"
#include "bench/study.h"
#include "reports/verify_result.h"

namespace dtbench {

/// Widths, depths and batches between and beyond those of the calibration grid, at every replica count.
std::vector<GridSize> verification_sizes(const std::vector<int>& replicas);

/// The request of one size: `base` with the model, batch and device count of `size`.
RunSpec spec_of(const GridSize& size, RunSpec base);

struct VerifyWork {
  std::vector<GridSize> sizes;
  std::vector<PlannedPoint> planned;  ///< one per size
};
VerifyWork plan_verification(const RunSpec& spec, const Topology& host, const std::vector<int>& replicas);

/// One row per size, measured half still empty.
std::vector<VerifyRow> predict_rows(const VerifyWork& work, const Machine& host, const RunSpec& spec);

/// The plans as trials, named by their sizes. `work` outlives them.
std::vector<CpuTrial> trials_of(const VerifyWork& work, const std::vector<VerifyRow>& rows);

/// Fills the measured halves and drops rows for which there was no time; the number of dropped rows.
int measure_rows(std::vector<VerifyRow>& rows, const CpuMeasurement& measurement);

}  // namespace dtbench
