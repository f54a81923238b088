// Results as Markdown: headline, tables and findings, to paste into an issue or a README.
#pragma once

#include <string>

#include "reports/bench_result.h"
#include "reports/run_result.h"
#include "reports/train_result.h"
#include "reports/verify_result.h"

namespace dtbench {

std::string markdown_text(const RunResult& result);
std::string markdown_text(const VerifyResult& result);
std::string markdown_text(const TrainResult& result);
std::string markdown_text(const BenchResult& result);

}  // namespace dtbench
