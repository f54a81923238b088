// The repetitions in results of dtbench, as metrics. One function a schema; see `sample_formats`.
//
// A time is taken once, not a second time as throughput: the same repetitions under two names would only cost power.
#pragma once

#include "reports/regression/metric_samples.h"
#include "topologies/base/json_reader.h"

namespace dtbench {

void read_run_samples(const Json& document, SampleFile& file);     ///< step_seconds, and efficiency as a ratio
void read_verify_samples(const Json& document, SampleFile& file);  ///< step_seconds, and measured / predicted
void read_train_samples(const Json& document, SampleFile& file);   ///< epoch_seconds
void read_bench_samples(const Json& document, SampleFile& file);   ///< its metrics

}  // namespace dtbench
