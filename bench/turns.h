// Two commands measured in turns (A B B A A B B A ...) and compared inside one session: what changes from hour to hour
// meets both alike.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "bench/progress.h"
#include "reports/regression/metric_samples.h"

namespace dtbench {

struct TurnsRequest {
  std::string base, changed;  ///< shell commands; "{}" stands for the file to write, else standard output is read
  int repetitions = 9;        ///< runs of each
};

/// Which command runs when: 0 = base, 1 = changed. Every pair holds both, and a steady drift cancels over two pairs.
std::vector<int> order_of_turns(int repetitions);

/// One run of a command: its result file, read.
using RunCommand = std::function<SampleFile(const std::string& command)>;

/// Both sides with one value a run, the median of its repetitions; a metric that some run lacks is left out. The
/// conditions are those of each side's first run, the dates made equal: it is one session.
std::pair<SampleFile, SampleFile> measure_in_turns(const TurnsRequest& request, const RunCommand& run,
                                                   Progress& progress);

/// Runs the command by /bin/sh; Error (run_failed) with its exit status when it fails or writes no result.
SampleFile run_by_shell(const std::string& command);

}  // namespace dtbench
