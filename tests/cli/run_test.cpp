// dtbench run, with and without measuring: what is written, and that it is what was asked.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "reports/schema_check.h"
#include "tests/cli/program.h"

namespace dtbench {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using Words = std::vector<std::string>;

std::string source(const std::string& path) { return std::string(std::getenv("DTBENCH_SOURCE")) + "/" + path; }

json result_of(const Words& words, const std::string& schema) {
  const Outcome outcome = dtbench_says(words);
  EXPECT_EQ(outcome.status, 0) << shown(words) << "\n" << outcome.err;
  for (const SchemaFault& fault : schema_faults(outcome.out, source(schema)))
    ADD_FAILURE() << shown(words) << ": " << fault.pointer << ": " << fault.text;
  return json::parse(outcome.out);
}

json run_result(Words more) {
  Words words = {"run", "--json", "-"};
  words.insert(words.end(), more.begin(), more.end());
  return result_of(words, "reports/result.schema.json");
}

std::vector<int> devices_of(const json& result) {
  std::vector<int> devices;
  for (const json& point : result.at("points")) devices.push_back(point.at("devices"));
  return devices;
}

TEST(RunWithoutMeasuring, PredictsEveryPowerOfTwoAndTheWholeMachine) {
  const json result = run_result({"--topology", "6xA100@hgx-a100", "--measure", "off"});
  EXPECT_EQ(devices_of(result), (std::vector<int>{1, 2, 4, 6}));
  for (const json& point : result.at("points")) {
    const json& step = point.at("step_seconds");
    EXPECT_TRUE(step.at("measured").is_null());
    EXPECT_LE(step.at("predicted").at("low"), step.at("predicted").at("value"));
    EXPECT_LE(step.at("predicted").at("value"), step.at("predicted").at("high"));
  }
}

TEST(RunWithoutMeasuring, RunsNothingOnThisHost) {
  const json result = run_result({"--topology", "8xA100", "--measure", "off"});
  EXPECT_TRUE(result.at("closed_loop").at("points").empty());
  EXPECT_EQ(result.at("closed_loop").at("reason"), "--measure off");
  EXPECT_FALSE(result.at("environment").contains("disturbed"));
}

TEST(RunWithoutMeasuring, GivesTheSameNumbersTwice) {
  json first = run_result({"--topology", "8xA100", "--measure", "off", "--seed", "7"});
  json second = run_result({"--topology", "8xA100", "--measure", "off", "--seed", "7"});
  EXPECT_EQ(first.at("points"), second.at("points"));
}

TEST(RunWithoutMeasuring, CommandLineWinsOverTheConfigFile) {
  const std::string path = temporary_path("config.json");
  std::ofstream(path) << R"({"topology": "8xA100", "measure": "off", "devices": [1, 2], "global_batch": 64,
                             "model_options": {"hidden": 32, "layers": 2}})";
  const json result = run_result({"--config", path, "--devices", "4", "--batch-per-replica", "16", "--hidden", "48"});
  EXPECT_EQ(devices_of(result), (std::vector<int>{4}));
  EXPECT_EQ(result.at("points").at(0).at("global_batch"), 64);
  EXPECT_EQ(result.at("spec").at("model_options").at("hidden"), 48);
  EXPECT_EQ(result.at("spec").at("model_options").at("layers"), 2);
}

TEST(RunWithoutMeasuring, AnAnchorIsMet) {
  const json result =
      run_result({"--topology", "8xA100", "--measure", "off", "--anchor", "devices=1,throughput=20000,unit=images/s"});
  const json& one = result.at("points").at(0).at("samples_per_second").at("predicted");
  EXPECT_NEAR(one.at("value").get<double>(), 20000, 20);
}

TEST(RunWithoutMeasuring, WritesTheSameResultToAFile) {
  const std::string path = temporary_path("result.json");
  const Outcome outcome = dtbench_says({"run", "--topology", "8xA100", "--measure", "off", "--json", path});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("A100"));
  std::ifstream file(path);
  EXPECT_EQ(json::parse(file).at("schema"), "dtbench.run/1");
}

TEST(RunWithoutMeasuring, AModelThatDoesNotFitIsAFindingAndStatusOne) {
  const Outcome outcome =
      dtbench_says({"run", "--topology", "8xT4", "--hidden", "60000", "--measure", "off", "--json", "-"});
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  const json result = json::parse(outcome.out);
  EXPECT_EQ(result.at("findings").at(0).at("severity"), "error");
}

const Words kSmall = {"--hidden", "64", "--layers", "1", "--batch-per-replica", "16"};

Words with_small(Words words, const std::string& budget = time_budget(4)) {
  words.insert(words.end(), kSmall.begin(), kSmall.end());
  words.insert(words.end(), {"--time-budget", budget});
  return words;
}

TEST(RunWithMeasuring, ClosesTheLoopOnThisHost) {
  // Long enough for a program without optimisation and with sanitizers to measure every replica count.
  const json result = run_result(with_small({"--topology", "8xA100", "--quiet"}, time_budget(8)));
  const json& loop = result.at("closed_loop");
  ASSERT_FALSE(loop.at("points").empty()) << loop;
  for (const json& point : loop.at("points")) {
    EXPECT_GT(point.at("step_seconds").at("predicted").at("value"), 0);
    EXPECT_GT(point.at("step_seconds").at("measured").at("value"), 0);
    EXPECT_GE(point.at("step_seconds").at("measured").at("repetitions").size(), 1u);
  }
  EXPECT_TRUE(loop.at("median_abs_error").is_number());
  EXPECT_TRUE(result.at("environment").contains("disturbed"));
  EXPECT_TRUE(result.at("points").at(0).at("step_seconds").at("measured").is_null());
}

// What only several replicas do must be calibrated too, and a schedule for nodes is not asked of one host.
TEST(RunWithMeasuring, ClosesTheLoopWhateverReplicasSayToEachOther) {
  const std::vector<Words> asked = {{"--gradient-compression", "bfloat16"},
                                    {"--sync-batch-norm", "--model", "resnet8", "--image-size", "8"},
                                    {"--collective", "hierarchical"}};
  for (Words words : asked) {
    if (words.back() != "8") words.insert(words.end(), {"--hidden", "64", "--layers", "1"});
    words.insert(words.end(), {"--topology", "2x8xA100", "--devices", "16", "--time-budget", time_budget(10)});
    const json result = run_result(words);
    EXPECT_FALSE(result.at("closed_loop").at("points").empty()) << shown(words) << result.at("closed_loop");
  }
}

// No x86 processor that oneDNN 2 knows has float16 products.
// The prediction needs no host: a budget that is too short for the calibration leaves the loop open, no more.
TEST(RunWithMeasuring, PredictsEvenWhenTimeIsTooShortToCalibrate) {
  const json result = run_result({"--topology", "8xA100", "--gradient-compression", "bfloat16", "--time-budget", "50ms"});
  EXPECT_FALSE(result.at("points").empty());
  const json& loop = result.at("closed_loop");
  EXPECT_TRUE(!loop.at("points").empty() || !loop.at("reason").get<std::string>().empty()) << loop;
}

TEST(RunWithMeasuring, SaysWhenAPrecisionIsComputedInAnother) {
  const Words words = with_small({"run", "--topology", "2xA100", "--precision", "mixed_float16"}, time_budget(6));
  EXPECT_THAT(dtbench_says(words).out, HasSubstr("precision-through-float32"));
}

TEST(Verify, MeasuresCalibratedStepsAgainBesideItsRows) {
  const json result = result_of(
      {"verify", "--devices", "1", "--time-budget", time_budget(15), "--tolerance", "1e9", "--quiet", "--json", "-"},
      "reports/verify.schema.json");
  ASSERT_FALSE(result.at("controls").empty());
  for (const json& control : result.at("controls")) {
    EXPECT_THAT(control.at("name").get<std::string>(), HasSubstr("mlp"));
    EXPECT_GT(control.at("calibrated_seconds"), 0);
    EXPECT_GT(control.at("measured_seconds"), 0);
  }
}

TEST(RunWithMeasuring, SaysWhyALoopThatIsTooLargeStaysOpen) {
  const json result = run_result({"--topology", "8xH200", "--hidden", "30000", "--layers", "10"});
  EXPECT_TRUE(result.at("closed_loop").at("points").empty());
  EXPECT_THAT(result.at("closed_loop").at("reason").get<std::string>(), HasSubstr("memory"));
}

TEST(RunWithMeasuring, KeepsOnlyProgressOffStandardOutput) {
  const Outcome outcome = dtbench_says(with_small({"run", "--topology", "2xA100", "--json", "-"}));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(json::accept(outcome.out));
  EXPECT_THAT(outcome.err, HasSubstr("dtbench: calibrating"));
}

/// One calibration for all of these, so that each takes a few seconds only.
class CalibratedHost : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    path_ = temporary_path("host.json");
    made_ = dtbench_says({"calibrate", "-o", path_, "--time-budget", time_budget(3)});
  }
  void SetUp() override { ASSERT_EQ(made_.status, 0) << made_.err; }
  static std::string path_;
  static Outcome made_;
};
std::string CalibratedHost::path_;
Outcome CalibratedHost::made_;

TEST_F(CalibratedHost, IsShownAsATable) {
  for (const char* part : {"dense/float32", "sgd_momentum/float32", "shared-memory", "left out"})
    EXPECT_THAT(made_.out, HasSubstr(part));
}

TEST_F(CalibratedHost, IsUsedAndCheckedForItsConditions) {
  const Words run = with_small({"--topology", "host", "--calibration", path_, "--devices", "1"});
  const json here = run_result(run);
  EXPECT_EQ(here.at("calibration").at("source"), path_);
  EXPECT_GT(here.at("points").at(0).at("step_seconds").at("measured").at("value"), 0);

  std::ifstream file(path_);
  json other = json::parse(file);
  other.at("conditions").at("cpu") = "Zilog Z80";
  const std::string other_path = temporary_path("z80.json");
  std::ofstream(other_path) << other;
  const Outcome outcome = dtbench_says(with_small({"run", "--calibration", other_path, "--devices", "1"}));
  EXPECT_THAT(outcome.out, HasSubstr("Zilog Z80"));
  EXPECT_THAT(outcome.out, HasSubstr("calibration-conditions"));
}

TEST_F(CalibratedHost, IsNotTakenForAnotherDeviceInSilence) {
  const Outcome outcome = dtbench_says({"run", "--topology", "1xA100", "--measure", "off", "--calibration", path_});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("calibration-of-another-device"));
}

TEST_F(CalibratedHost, PassesOrFailsVerificationByTheTolerance) {
  const Words verify = {"verify", "--calibration", path_, "--devices",  "1", "--quiet", "--json",
                        "-",      "--time-budget", time_budget(4), "--tolerance"};
  Words mild = verify, strict = verify;
  mild.push_back("1e9");
  strict.push_back("1e-9");
  const json result = result_of(mild, "reports/verify.schema.json");
  EXPECT_FALSE(result.at("rows").empty());
  EXPECT_TRUE(result.at("controls").empty()) << "nobody knows the steps behind a file";
  EXPECT_TRUE(result.at("passed"));
  EXPECT_EQ(dtbench_says(strict).status, 1);
}

}  // namespace
}  // namespace dtbench
