#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "reports/regression/compare_json.h"
#include "reports/regression/compare_samples.h"
#include "reports/regression/google_benchmark.h"
#include "reports/regression/junit.h"
#include "reports/regression/report_text.h"
#include "reports/regression/sample_file.h"
#include "tests/fuzz/target.h"
#include "topologies/base/error.h"
#include "topologies/base/json_reader.h"

// Any bytes as a file of samples; one that is accepted is compared with itself and a slower copy, and every format is
// written.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dtbench;
  try {
    const Json json = parse_json({reinterpret_cast<const char*>(data), size}, "fuzz.json");
    const SampleFile base = sample_file_from_json(json, "fuzz.json");
    SampleFile slower = base;
    for (MetricSamples& metric : slower.metrics)
      for (double& value : metric.repetitions) value = std::min(value * 1.1, 1e300);
    CompareRequest request;
    request.rule.resamples = 10;
    for (const SampleFile* changed : {&base, static_cast<const SampleFile*>(&slower)}) {
      const RegressionReport report = compare_samples(base, *changed, request);
      regression_report_to_json_text(report, "fuzz");
      junit_text(report);
      markdown_text(report);
      terminal_text(report, {});
    }
    std::vector<LeftOut> left_out;
    google_benchmark_text(base, left_out);
  } catch (const Error&) {
  }
  return 0;
}
