// The result of `dtbench bench` as a value (`dtbench.bench/1`, bench.schema.json): metrics with their raw repetitions,
// measured in turns, so that any two of one result can be compared.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/better.h"
#include "reports/run_result.h"

namespace dtbench {

struct BenchMetric {
  std::string name;  ///< unique: "engine/mlp/float32/1x2/step_seconds"
  std::string unit;  ///< "s"
  Better better = Better::lower;
  Measured measured;                      ///< repetitions in the order in which they were measured
  std::map<std::string, double> details;  ///< what follows from the median: samples_per_second, fraction_of_peak, ...
  bool operator==(const BenchMetric&) const = default;
};

struct BenchResult {
  std::string command;
  Environment environment;
  std::vector<BenchMetric> metrics;
  std::map<std::string, double> timing_of_dtbench;
  bool operator==(const BenchResult&) const = default;
};

}  // namespace dtbench
