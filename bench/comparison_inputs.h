// What `dtbench compare` was asked: two files, earlier ones, and the rule.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/output.h"
#include "bench/progress.h"
#include "reports/regression/compare_samples.h"

namespace CLI {
class App;
}

namespace dtbench {

struct ComparedFiles {
  SampleFile base, changed;
  CompareRequest request;
};

class ComparisonInputs {
 public:
  static std::shared_ptr<ComparisonInputs> declare(CLI::App& app);
  GateRule rule() const;
  /// The input files, to be told from output files.
  std::vector<NamedFile> files() const;
  /// Reads and checks everything that was named; with --ab, runs the two commands in turns.
  ComparedFiles read(Progress& progress) const;

 private:
  ComparedFiles in_turns(Progress& progress) const;
  CompareRequest request() const;

  std::string base_, changed_, threshold_, ratio_threshold_, alpha_, history_, allowed_, only_;
  std::vector<std::string> commands_;  ///< of --ab: none or two
  std::int64_t last_ = 20, repetitions_ = 9;
  std::uint64_t seed_ = 1;
  bool require_sessions_ = false;
};

/// "3%", "3 %" or "0.03"; from 0 (left out) to 10.
double parse_share(const std::string& text, const std::string& option);

/// All *.json of a folder, in the order of time. A file that cannot be read is left out, and standard error says so.
std::vector<SampleFile> read_history(const std::string& folder);

/// The file as Google Benchmark's JSON; what that cannot hold is said on standard error.
std::string google_benchmark_of(const SampleFile& file);

}  // namespace dtbench
