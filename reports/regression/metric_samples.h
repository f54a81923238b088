// What a comparison compares: metrics with their raw repetitions, and the conditions under which they were taken.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/better.h"

namespace dtbench {

/// A ratio is a quotient taken inside one run (efficiency, measured / predicted): what slows the whole session cancels
/// in it, so that it deserves a tighter gate than an absolute time.
enum class MetricKind { absolute, ratio };

struct MetricSamples {
  std::string name, unit;
  Better better = Better::lower;
  MetricKind kind = MetricKind::absolute;
  std::vector<double> repetitions;  ///< above 0, in the order in which they were taken
  bool operator==(const MetricSamples&) const = default;
};

/// Something that a file holds and that cannot be compared.
struct LeftOut {
  std::string name, reason;
  bool operator==(const LeftOut&) const = default;
};

/// One file is one session: its repetitions share whatever was peculiar to that hour.
struct SampleFile {
  std::string path, format;
  std::map<std::string, std::string> environment;  ///< everything that the file says about its conditions
  std::vector<MetricSamples> metrics;
  std::vector<LeftOut> left_out;
  bool operator==(const SampleFile&) const = default;
};

}  // namespace dtbench
