// Reads any file that holds raw repetitions: results of dtbench and of Google Benchmark.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "reports/regression/metric_samples.h"
#include "topologies/base/json_reader.h"

namespace dtbench {

/// A way to read samples; one row a format.
struct SampleFormat {
  std::string_view name;                                 ///< the "schema" of the file, or "google-benchmark"
  void (*read)(const Json& document, SampleFile& file);  ///< path and format are filled in already
};
std::span<const SampleFormat> sample_formats();

/// Only what is compared is read: a file of an older or newer version with other fields besides is fine. Error when
/// the file is of no known format, or holds no metric at all with raw repetitions.
SampleFile sample_file_from_json(const Json& document, const std::string& path);
SampleFile sample_file_from_path(const std::string& path);

/// Adds the metric, or says in `left_out` why it cannot be compared (no repetitions, values that are not above 0).
void add_metric(SampleFile& file, MetricSamples metric);

}  // namespace dtbench
