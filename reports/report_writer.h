// A result in one format. One row of `report_formats()` per format.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "reports/bench_result.h"
#include "reports/run_result.h"
#include "reports/text_layout.h"
#include "reports/train_result.h"
#include "reports/verify_result.h"

namespace dtbench {

class ReportWriter {
 public:
  virtual ~ReportWriter() = default;
  virtual std::string text(const RunResult& result) const = 0;
  virtual std::string text(const VerifyResult& result) const = 0;
  virtual std::string text(const TrainResult& result) const = 0;
  virtual std::string text(const BenchResult& result) const = 0;
};

struct ReportFormat {
  std::string_view name, summary;
  std::unique_ptr<ReportWriter> (*make)(const TextStyle& style);
};

std::span<const ReportFormat> report_formats();
/// Bad-input error, with the nearest name, when there is no such format.
const ReportFormat& report_format(std::string_view name);

/// To standard output for "-", otherwise atomically to a file.
void deliver(const std::string& text, const std::string& destination);

}  // namespace dtbench
