// Two files of samples, and perhaps earlier ones, become a report.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "reports/regression/regression_report.h"

namespace dtbench {

struct CompareRequest {
  GateRule rule;
  std::vector<std::string> allowed;  ///< fields of the conditions that may differ; "all" allows every one
  /// Earlier sessions in the order of time; the latest `last` whose conditions agree with the changed file's count,
  /// and the base file is one more. Neither of the two files may be among them.
  std::vector<SampleFile> history;
  std::size_t last = 20;
  bool in_turns = false;                                ///< both sides were measured alternately in one session
  bool sessions_required = false;                       ///< judge differences only against history or in turns
  std::function<bool(const std::string& name)> wanted;  ///< which metrics; empty = all
};

/// When the conditions differ in a field that is not allowed, nothing is compared: the verdict is incomparable and
/// says which. A name in `allowed` that neither file has is a bad-input error.
RegressionReport compare_samples(const SampleFile& base, const SampleFile& changed, const CompareRequest& request);

/// By date where every file has one, else by path.
void sort_by_time(std::vector<SampleFile>& files);

}  // namespace dtbench
