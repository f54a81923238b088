#include "reports/report_writer.h"

#include <fmt/core.h>

#include <array>
#include <cstdio>

#include "reports/bench_json.h"
#include "reports/markdown.h"
#include "reports/result_json.h"
#include "reports/terminal.h"
#include "reports/train_json.h"
#include "reports/verify_json.h"
#include "topologies/base/error.h"
#include "topologies/base/json_reader.h"
#include "topologies/base/suggest.h"

namespace dtbench {

namespace {

class TerminalWriter : public ReportWriter {
 public:
  explicit TerminalWriter(const TextStyle& style) : style_(style) {}
  std::string text(const RunResult& result) const override { return terminal_text(result, style_); }
  std::string text(const VerifyResult& result) const override { return terminal_text(result, style_); }
  std::string text(const TrainResult& result) const override { return terminal_text(result, style_); }
  std::string text(const BenchResult& result) const override { return terminal_text(result, style_); }

 private:
  TextStyle style_;
};

class JsonWriter : public ReportWriter {
 public:
  std::string text(const RunResult& result) const override { return run_result_to_json_text(result); }
  std::string text(const VerifyResult& result) const override { return verify_result_to_json_text(result); }
  std::string text(const TrainResult& result) const override { return train_result_to_json_text(result); }
  std::string text(const BenchResult& result) const override { return bench_result_to_json_text(result); }
};

class MarkdownWriter : public ReportWriter {
 public:
  std::string text(const RunResult& result) const override { return markdown_text(result); }
  std::string text(const VerifyResult& result) const override { return markdown_text(result); }
  std::string text(const TrainResult& result) const override { return markdown_text(result); }
  std::string text(const BenchResult& result) const override { return markdown_text(result); }
};

constexpr std::array kReportFormats = {
    ReportFormat{"terminal", "one screen for people",
                 [](const TextStyle& style) -> std::unique_ptr<ReportWriter> {
                   return std::make_unique<TerminalWriter>(style);
                 }},
    ReportFormat{"json", "everything, by the schema of the result",
                 [](const TextStyle&) -> std::unique_ptr<ReportWriter> { return std::make_unique<JsonWriter>(); }},
    ReportFormat{"markdown", "headline and tables, to paste into an issue or a README",
                 [](const TextStyle&) -> std::unique_ptr<ReportWriter> { return std::make_unique<MarkdownWriter>(); }},
};

}  // namespace

std::span<const ReportFormat> report_formats() { return kReportFormats; }

const ReportFormat& report_format(std::string_view name) {
  std::vector<std::string> names;
  for (const ReportFormat& format : kReportFormats) {
    if (format.name == name) return format;
    names.emplace_back(format.name);
  }
  throw_bad_input({"report format", fmt::format("'{}'", name), one_of(names), did_you_mean(name, names)});
}

void deliver(const std::string& text, const std::string& destination) {
  if (destination != "-") return write_file_atomically(destination, text);
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!written) throw Error(ExitCode::run_failed, {"standard output", "cannot be written", "", ""});
}

}  // namespace dtbench
