#include "reports/report_writer.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "reports/result_json.h"
#include "tests/unit/reports/example_result.h"
#include "tests/unit/reports/golden_file.h"
#include "topologies/base/error.h"

namespace dtbench {
namespace {

TEST(ReportWriter, EveryFormatWritesEveryResult) {
  for (const ReportFormat& format : report_formats()) {
    const auto writer = format.make({});
    EXPECT_NE(writer->text(example_run()).find("A100-SXM4-80GB"), std::string::npos) << format.name;
    EXPECT_NE(writer->text(example_verify()).find("700"), std::string::npos) << format.name;
    EXPECT_NE(writer->text(example_bench()).find("engine/mlp/float32/1x2"), std::string::npos) << format.name;
    EXPECT_NE(writer->text(example_train()).find("88"), std::string::npos) << format.name;
  }
}

TEST(ReportWriter, MarkdownRun) { expect_golden(report_format("markdown").make({})->text(example_run()), "run.md"); }

TEST(ReportWriter, MarkdownKeepsACellTogether) {
  RunResult result = example_run();
  result.model.sample_unit = "a|b";
  EXPECT_NE(report_format("markdown").make({})->text(result).find("| a\\|b/s |"), std::string::npos);
}

TEST(ReportWriter, SuggestsTheNearestFormat) {
  try {
    report_format("jsn");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'json'?"), std::string::npos) << error.what();
  }
}

TEST(Deliver, WritesAFileAndReportsOneThatCannotBeWritten) {
  const std::filesystem::path path = std::filesystem::temp_directory_path() / "dtbench_deliver_test.json";
  deliver("text\n", path.string());
  std::stringstream read;
  read << std::ifstream(path).rdbuf();
  std::filesystem::remove(path);
  EXPECT_EQ(read.str(), "text\n");
  EXPECT_THROW(deliver("text\n", "/nonexistent/folder/file"), Error);
}

TEST(Deliver, WritesToStandardOutputForADash) {
  testing::internal::CaptureStdout();
  deliver("text\n", "-");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "text\n");
}

}  // namespace
}  // namespace dtbench
