// The result of `dtbench train` as a value (`dtbench.train/1`, train.schema.json).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reports/run_result.h"

namespace dtbench {

struct EpochReport {
  int epoch = 1;
  double seconds = 0;  ///< of this epoch, evaluation left out
  double train_loss = 0;
  double test_accuracy = 0;
  double test_loss = 0;
  double samples_per_second = 0;
  bool operator==(const EpochReport&) const = default;
};

/// Of a dynamic loss scale, at the end of the training.
struct LossScaleReport {
  double scale = 0;
  std::int64_t skipped_steps = 0;  ///< gradients overflowed, so nothing was updated
  std::string culprit;             ///< first gradient that was not finite in the last skipped step; "" without
  bool operator==(const LossScaleReport&) const = default;
};

struct TrainResult {
  RunSpec spec;
  std::string command;
  Environment environment;
  ModelReport model;
  std::string data;  ///< name of the data set
  std::vector<EpochReport> epochs;
  double final_accuracy = 0;
  std::optional<double> target;  ///< test accuracy asked for
  std::optional<bool> reached;   ///< present with target
  std::optional<LossScaleReport> loss_scale;  ///< absent: the precision has none
  int replicas = 1;
  std::uint64_t seed = 1;
  std::map<std::string, double> timing_of_dtbench;
  bool operator==(const TrainResult&) const = default;
};

}  // namespace dtbench
