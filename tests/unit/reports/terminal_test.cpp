#include "reports/terminal.h"

#include <gtest/gtest.h>

#include <sstream>

#include "reports/findings.h"
#include "tests/unit/reports/example_result.h"
#include "tests/unit/reports/golden_file.h"

namespace dtbench {
namespace {

RunResult with_findings(RunResult result) {
  result.findings = find_findings(result);
  return result;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(Terminal, ShowsARun) { expect_golden(terminal_text(with_findings(example_run()), {}), "run.txt"); }

TEST(Terminal, ShowsARunInColour) {
  expect_golden(terminal_text(with_findings(example_run()), {.colour = true}), "run_colour.txt");
}

TEST(Terminal, ShowsAVerification) { expect_golden(terminal_text(example_verify(), {}), "verify.txt"); }

TEST(Terminal, ShowsABenchmark) { expect_golden(terminal_text(example_bench(), {}), "bench.txt"); }

TEST(Terminal, ShowsATraining) { expect_golden(terminal_text(example_train(), {}), "train.txt"); }

TEST(Terminal, StaysOnOneScreenOfOneHundredColumns) {
  const auto lines = lines_of(terminal_text(with_findings(example_run()), {}));
  EXPECT_LE(lines.size(), 48u);
  for (const std::string& line : lines) EXPECT_LE(text_width(line), 100u) << line;
}

TEST(Terminal, SaysWhyNothingWasMeasured) {
  RunResult result = example_run();
  result.closed_loop = {"host: 2 cores", result.closed_loop.calibration, {}, std::nullopt, "--measure off"};
  EXPECT_NE(terminal_text(result, {}).find("none: --measure off"), std::string::npos);
}

TEST(Terminal, ComparesTheMachineItselfWhenItWasMeasured) {
  RunResult result = example_run();
  result.points = result.closed_loop.points;
  result.closed_loop.points.clear();
  const std::string text = terminal_text(result, {});
  EXPECT_NE(text.find("the machine above"), std::string::npos) << text;
}

}  // namespace
}  // namespace dtbench
