// Google Benchmark's JSON, read and written.
#pragma once

#include <string>

#include "reports/regression/metric_samples.h"
#include "topologies/base/json_reader.h"

namespace dtbench {

bool is_google_benchmark(const Json& document);

/// One metric a benchmark: the real time of its repetitions in seconds. A file of aggregates only is an error that
/// says how to get repetitions; a benchmark that failed or was skipped is left out with its message.
void read_google_benchmark(const Json& document, SampleFile& file);

/// The metrics whose unit is seconds, one row a repetition. Reading it back gives the same repetitions. Names of what
/// this format cannot hold are appended to `left_out`.
std::string google_benchmark_text(const SampleFile& file, std::vector<LeftOut>& left_out);

}  // namespace dtbench
