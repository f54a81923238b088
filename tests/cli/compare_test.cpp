// `dtbench compare` as continuous integration calls it: exit statuses, files written, messages.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "reports/schema_check.h"
#include "tests/cli/program.h"

namespace dtbench {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

std::string text_of(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::string written(const std::string& name, const std::string& text) {
  const std::string path = temporary_path(name);
  std::ofstream(path) << text;
  return path;
}

// One metric of a bench result, 1 % noise.
std::string result(const std::string& name, double level, std::size_t repetitions, std::uint64_t seed,
                   const json& environment = {{"cpu", "x"}}) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(0, 0.01);
  json metric = {
      {"name", "engine/mlp/step_seconds"}, {"unit", "s"}, {"better", "lower"}, {"repetitions", json::array()}};
  for (std::size_t i = 0; i < repetitions; ++i) metric["repetitions"].push_back(level * std::exp(normal(random)));
  const json file = {{"schema", "dtbench.bench/1"}, {"environment", environment}, {"metrics", {metric}}};
  return written(name, file.dump());
}

TEST(Compare, ExitStatusIsTheVerdict) {
  const std::string base = result("base.json", 1, 15, 1);
  EXPECT_EQ(dtbench_says({"compare", base, result("same.json", 1, 15, 2)}).status, 0);
  EXPECT_EQ(dtbench_says({"compare", base, result("slow.json", 1.1, 15, 3)}).status, 1);
  EXPECT_EQ(dtbench_says({"compare", base, result("fast.json", 0.9, 15, 4)}).status, 0);
  EXPECT_EQ(dtbench_says({"compare", base, result("few.json", 1, 3, 5)}).status, 3);
  EXPECT_EQ(dtbench_says({"compare", base, result("other.json", 1, 15, 6, {{"cpu", "y"}})}).status, 5);
  EXPECT_EQ(dtbench_says({"compare", base, result("other.json", 1, 15, 6, {{"cpu", "y"}}),
                          "--allow-different-environment", "cpu"})
                .status,
            0);
  EXPECT_EQ(dtbench_says({"compare", base, result("slow.json", 1.1, 15, 3), "--threshold", "20%"}).status, 0);
}

TEST(Compare, WritesEveryFormat) {
  const std::string base = result("base.json", 1, 15, 1), slow = result("slow.json", 1.1, 15, 2);
  const std::string out = temporary_path("out.json"), markdown = temporary_path("out.md"),
                    junit = temporary_path("out.xml"), google = temporary_path("google.json");
  const Outcome outcome = dtbench_says(
      {"compare", base, slow, "--json", out, "--markdown", markdown, "--junit", junit, "--google-benchmark", google});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out, HasSubstr("regressed: 1 regressed of 1 metric"));
  const std::string schema = std::string(std::getenv("DTBENCH_SOURCE")) + "/reports/compare.schema.json";
  EXPECT_TRUE(schema_faults(text_of(out), schema).empty());
  EXPECT_THAT(text_of(markdown), HasSubstr("**REGRESSED**"));
  EXPECT_THAT(text_of(junit), HasSubstr("failures=\"1\""));
  // Google Benchmark's file holds the same repetitions: it neither passes for slower nor for faster.
  const Outcome again = dtbench_says({"compare", slow, google, "--allow-different-environment", "all"});
  EXPECT_EQ(again.status, 0) << again.out << again.err;
  EXPECT_EQ(dtbench_says({"compare", google, google}).status, 0);
}

TEST(Compare, TheSameTextEveryTime) {
  const std::string base = result("base.json", 1, 9, 1), slow = result("slow.json", 1.02, 9, 2);
  EXPECT_EQ(dtbench_says({"compare", base, slow, "--json", "-"}).out,
            dtbench_says({"compare", base, slow, "--json", "-"}).out);
}

TEST(Compare, HistoryIsReadAndBrokenFilesInItAreSaid) {
  const std::string folder = temporary_path("history");
  ASSERT_EQ(std::system(("mkdir " + folder).c_str()), 0);
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal(0, 0.03);
  for (int i = 0; i < 9; ++i)
    result(fmt::format("history/{}.json", i), std::exp(normal(random)), 9, 10 + i,
           {{"cpu", "x"}, {"date", fmt::format("2026-01-0{}", i + 1)}});
  written("history/broken.json", "{");
  const std::string base = result("base.json", 1, 9, 1), changed = result("new.json", 1.06, 9, 2);
  EXPECT_EQ(dtbench_says({"compare", base, changed}).status, 1);
  const Outcome outcome = dtbench_says({"compare", base, changed, "--history", folder, "--json", "-"});
  EXPECT_EQ(outcome.status, 3) << outcome.out;  // sessions differ by as much
  EXPECT_THAT(outcome.err, HasSubstr("left out of the history: " + folder + "/broken.json"));
  const json metric = json::parse(outcome.out).at("metrics").at(0);
  EXPECT_EQ(metric.at("sessions").at("sessions"), 10);
  EXPECT_GT(metric.at("sessions").at("gate"), 0.06);
  EXPECT_EQ(dtbench_says({"compare", base, result("slow.json", 1.3, 9, 3), "--history", folder}).status, 1);
  // A folder that holds the two files as well does not make them their own baseline.
  const Outcome own =
      dtbench_says({"compare", folder + "/0.json", folder + "/../history/1.json", "--history", folder, "--json", "-"});
  EXPECT_EQ(json::parse(own.out).at("metrics").at(0).at("sessions").at("sessions"), 8);
}

TEST(Compare, RunsTwoCommandsInTurns) {
  const std::string base = "cat " + result("base.json", 1, 5, 1), slow = "cat " + result("slow.json", 1.1, 5, 2);
  EXPECT_EQ(dtbench_says({"compare", "--ab", base, base + " >{}"}).status, 0);
  const Outcome slower = dtbench_says({"compare", "--ab", base, slow, "--repetitions", "7"});
  EXPECT_EQ(slower.status, 1) << slower.out << slower.err;
  EXPECT_THAT(slower.out, HasSubstr("7+7"));
  const Outcome broken = dtbench_says({"compare", "--ab", "exit 3", "true"});
  EXPECT_EQ(broken.status, 4);
  EXPECT_THAT(broken.err, HasSubstr("--ab exit 3: ended with status 3"));
}

TEST(Compare, MeasuresThisMachine) {
  const std::string out = temporary_path("self.json");
  const Outcome outcome = dtbench_says({"compare", "--self-check", "--time-budget", "15s", "--json", out});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("recommended"));
  const std::string schema = std::string(std::getenv("DTBENCH_SOURCE")) + "/reports/self_check.schema.json";
  EXPECT_TRUE(schema_faults(text_of(out), schema).empty());
}

}  // namespace
}  // namespace dtbench
