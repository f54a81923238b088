// RunResult <-> JSON (`dtbench.run/1`, result.schema.json).
#pragma once

#include <string>

#include "reports/run_result.h"
#include "topologies/base/json_reader.h"

namespace dtbench {

/// Aborts (DTBENCH_CHECK) on numbers that are not finite, negative, or outside their own band.
std::string run_result_to_json_text(const RunResult& result);

/// Exact keys; errors carry `name`, the JSON pointer and what was expected. The inverse of the function above.
RunResult run_result_from_json(const Json& document, const std::string& name);
RunResult run_result_from_json_file(const std::string& path);

}  // namespace dtbench
