// The result of `dtbench run` as a value (`dtbench.run/1`, result.schema.json); writers only read it.
//
// What is missing is an empty optional (or, for texts, "") with a `reason` beside it; numbers are finite and never
// negative, which the JSON writer checks.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/plan/run_spec.h"
#include "topologies/calibration.h"
#include "topologies/topology.h"

namespace dtbench {

/// A predicted number with its 90 % interval.
struct Predicted {
  double value = 0, low = 0, high = 0;
  Origin origin = Origin::data_sheet;
  bool operator==(const Predicted&) const = default;
};

struct Measured {
  double value = 0;  ///< median of the repetitions
  std::vector<double> repetitions;
  bool operator==(const Measured&) const = default;
};

/// Predicted and measured of one quantity; a missing half is null in the JSON with `reason` beside it.
struct Quantity {
  std::optional<Predicted> predicted;
  std::optional<Measured> measured;
  std::string reason;
  bool operator==(const Quantity&) const = default;
};

struct MemoryReport {
  std::int64_t weights = 0, gradients = 0, optimizer = 0, activations = 0, workspace = 0, total = 0, capacity = 0;
  std::string verdict;  ///< fits | tight (> 90 % of capacity) | no
  bool operator==(const MemoryReport&) const = default;
};

struct BottleneckReport {
  std::string kind, link;
  double share = 0;
  bool operator==(const BottleneckReport&) const = default;
};

struct Point {
  int devices = 1, nodes = 1;
  std::int64_t global_batch = 0, batch_per_replica = 0;
  Quantity step_seconds, samples_per_second, speedup, efficiency, exposed_communication_seconds, compute_seconds,
      input_seconds;
  MemoryReport memory_bytes;
  BottleneckReport bottleneck;
  std::string collective_algorithm, collective_executed_by;  ///< "" when the step has no collective
  /// Share of the compute time's FLOPs and bytes in calls larger or smaller than anything the calibration measured.
  double extrapolated_share = 0;
  bool operator==(const Point&) const = default;
};

struct Finding {
  std::string code;      ///< stable, kebab-case: "uncalibrated", "does-not-fit", "band-missed"
  std::string severity;  ///< info | warning | error
  std::string text;
  std::map<std::string, double> evidence;
  bool operator==(const Finding&) const = default;
};

struct ModelReport {
  std::string name;
  std::map<std::string, std::int64_t> options;
  std::int64_t parameters = 0;
  double forward_flops_per_sample = 0;
  std::string sample_unit;
  bool operator==(const ModelReport&) const = default;
};

struct CalibrationReport {
  std::string name, source;
  Origin origin = Origin::data_sheet;
  std::optional<double> holdout_error;  ///< median |error| on sizes left out of the fit
  std::string reason;                   ///< why there is no holdout_error, when there is none
  bool operator==(const CalibrationReport&) const = default;
};

/// The same model and strategy on this host, predicted and measured.
struct ClosedLoop {
  std::string topology;
  CalibrationReport calibration;
  std::vector<Point> points;
  std::optional<double> median_abs_error;
  std::string reason;  ///< why there is no measurement, when there is none
  bool operator==(const ClosedLoop&) const = default;
};

/// Conditions of the run: versions, host, time, command.
using Environment = std::map<std::string, std::string>;

struct RunResult {
  RunSpec spec;
  std::string command;
  Environment environment;
  Topology topology;
  ModelReport model;
  CalibrationReport calibration;
  std::vector<Point> points;
  ClosedLoop closed_loop;
  std::vector<Finding> findings;
  std::map<std::string, double> timing_of_dtbench;  ///< phase -> seconds; "total" is the whole run
  bool operator==(const RunResult&) const = default;
};

}  // namespace dtbench
