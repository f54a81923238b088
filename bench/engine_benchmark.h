// How fast the engine trains here: the step time of models, precisions and ways to use the cores, measured in turns.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/environment.h"
#include "bench/progress.h"
#include "bench/time_budget.h"
#include "bench/work_scope.h"
#include "engine/plan/models/model.h"
#include "reports/bench_result.h"
#include "topologies/host_probe.h"

namespace dtbench {

/// How cores are used: `replicas` of `threads` cores each.
struct CoreLayout {
  int replicas = 1, threads = 1;
  bool operator==(const CoreLayout&) const = default;
};

/// One thread, one replica of all cores, one replica a core; fewer on a machine with one core.
std::vector<CoreLayout> default_layouts(int cores);
/// "1x1,1x2,2x1" (replicas x threads); bad input that names `option` for what is no layout or needs more than `cores`.
std::vector<CoreLayout> parse_layouts(const std::string& text, int cores, const char* option);

struct EngineBenchmark {
  WorkScope scope;       ///< models and precisions; replica counts come from `layouts`
  ModelOptions options;  ///< of every model
  std::optional<std::int64_t> batch_per_replica;  ///< the model's own when not given
  std::vector<CoreLayout> layouts;
  int repetitions = 7;
  std::uint64_t seed = 1;
};

struct EngineBenchmarkReport {
  std::vector<BenchMetric> metrics;       ///< "engine/<model>/<precision>/<replicas>x<threads>/step_seconds"
  std::vector<std::string> left_out;      ///< names for which there was no time
  DisturbanceWatch::Report disturbance;
};

/// A repetition is a turn of about `kTurnSeconds` (measure.h). `fraction_of_peak` in the details: FLOPs of the plan
/// over the float32 FMA rate of the same cores, measured just before; above 1 is possible at lower precisions.
EngineBenchmarkReport benchmark_engine(const EngineBenchmark& request, const HostFacts& facts, const TimeBudget& budget,
                                       Progress& progress);

}  // namespace dtbench
