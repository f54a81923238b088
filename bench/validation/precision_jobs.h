// From published pairs to the jobs that sim/model/precision_gain predicts.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bench/validation/precision_table.h"
#include "bench/validation/scaling_jobs.h"
#include "reports/validate_result.h"
#include "sim/model/precision_gain.h"

namespace dtbench {

/// What samples of networks cost (workloads.csv), by name as folded by fold_name.
class Workloads {
 public:
  explicit Workloads(const CsvTable& table);
  /// Work of a sample of `tokens` tokens (0: the network's usual number). A network that is not in the table is taken
  /// as the typical one of its unit; no work of a kind at all (empty kind) when not even that is known.
  JobWork work(std::string_view model, std::string_view unit, double tokens) const;
  bool knows(std::string_view model) const;

 private:
  struct Row {
    std::string kind;
    double tokens = 0;
    double matrix_flops = 0, matrix_flops_per_token = 0, other_bytes = 0, other_bytes_per_token = 0;
    double kernels = 0, small_filters = 0;
  };
  std::map<std::string, Row> rows_;
};

struct GainTarget {
  const PublishedPair* pair = nullptr;  ///< of the table, which must outlive it
  GainObservation observation;
};

struct GainTargets {
  std::vector<GainTarget> targets;
  std::vector<RowNote> skipped, assumed;
};

GainTargets gain_targets(const std::vector<PublishedPair>& pairs, const Workloads& workloads,
                         const ModelProfiles& profiles);

}  // namespace dtbench
