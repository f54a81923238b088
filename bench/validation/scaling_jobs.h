// Published rows as jobs of the predictor: machines looked up, gradients counted, labels read.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bench/validation/scaling_table.h"
#include "sim/model/job_scaling.h"

namespace dtbench {

/// What is known of a network that need not be built for it: reports/published/data/models.csv.
struct ModelProfile {
  double parameters = 0;
  double units_per_sample = 1;  ///< tokens of a sample where throughput counts tokens
};
class ModelProfiles {
 public:
  explicit ModelProfiles(const CsvTable& table);
  /// Names match without case, spaces, hyphens; nullptr for an unknown one.
  const ModelProfile* find(std::string_view name) const;
  std::string suggestion(std::string_view name) const;  ///< "did you mean ...", or ""

 private:
  std::map<std::string, ModelProfile> by_name_;  // folded
  std::vector<std::string> names_;
};

/// Shipped with the program.
ModelProfiles published_model_profiles();

/// Whether `part` stands in `text`, without case, spaces and hyphens.
bool mentions(std::string_view text, std::string_view part);
/// Networks in half precision exchange it: language models of the NVIDIA scripts (apex), MXNet, tf_cnn_benchmarks.
/// Automatic mixed precision keeps float32 weights and gradients.
bool exchanges_half_precision(bool looks_at_pictures, std::string_view framework);

JobLabels job_labels(const PublishedRow& row);
/// Bytes of one gradient on the wire: two where the job exchanges half precision, else four.
double gradient_bytes_per_parameter(const PublishedRow& row);

struct ScalingTarget {
  const PublishedRow* row = nullptr;
  double linear = 0;  ///< throughput at the target's devices, had the anchor's grown with them
  ScalingObservation observation;
};

struct ScalingTargets {
  std::vector<ScalingTarget> targets;
  std::vector<RowNote> skipped;
};

/// Every target of the table that can be judged. `table` outlives the result.
ScalingTargets scaling_targets(const ScalingTable& table, const ModelProfiles& profiles);

}  // namespace dtbench
