// BenchResult <-> JSON (`dtbench.bench/1`, bench.schema.json).
#pragma once

#include <string>

#include "reports/bench_result.h"
#include "topologies/base/json_reader.h"

namespace dtbench {

std::string bench_result_to_json_text(const BenchResult& result);
BenchResult bench_result_from_json(const Json& document, const std::string& name);

}  // namespace dtbench
