// Every format read, and every mistake said in one line.
#include "reports/regression/sample_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reports/regression/google_benchmark.h"
#include "reports/result_json.h"
#include "reports/train_json.h"
#include "reports/verify_json.h"
#include "tests/unit/reports/example_result.h"

namespace dtbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

SampleFile read(const std::string& text) { return sample_file_from_json(parse_json(text, "x.json"), "x.json"); }

std::string complaint(const std::string& text) {
  try {
    read(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    return error.what();
  }
  return "no error";
}

constexpr const char* kBench = R"({
  "schema": "dtbench.bench/1", "command": "c", "environment": {"cpu": "x", "date": "2026-01-01T00:00:00Z"},
  "metrics": [{"name": "a", "unit": "s", "better": "lower", "value": 2, "repetitions": [1, 2, 3]},
              {"name": "b", "unit": "", "better": "higher", "kind": "ratio", "repetitions": [0.5]},
              {"name": "zero", "unit": "s", "better": "lower", "repetitions": [1, 0]}],
  "timing_of_dtbench": {}})";

TEST(SampleFile, OfBenchEngine) {
  const SampleFile file = read(kBench);
  EXPECT_EQ(file.format, "dtbench.bench/1");
  EXPECT_EQ(file.environment.at("cpu"), "x");
  ASSERT_EQ(file.metrics.size(), 2u);
  EXPECT_THAT(file.metrics[0].repetitions, ElementsAre(1, 2, 3));
  EXPECT_EQ(file.metrics[1].better, Better::higher);
  EXPECT_EQ(file.metrics[1].kind, MetricKind::ratio);
  EXPECT_THAT(file.left_out, ElementsAre(LeftOut{"zero", "a repetition is not above 0, or beyond any physical quantity"}));
}

TEST(SampleFile, OfRunHoldsTheStepTimesOfTheClosedLoop) {
  const SampleFile file = read(run_result_to_json_text(example_run()));
  EXPECT_EQ(file.format, "dtbench.run/1");
  ASSERT_FALSE(file.metrics.empty());
  EXPECT_TRUE(file.metrics[0].name.starts_with("step_seconds/devices:1/batch:")) << file.metrics[0].name;
  EXPECT_EQ(file.environment.count("spec.model"), 1u);
  EXPECT_EQ(file.environment.count("spec.seed"), 0u);
}

TEST(SampleFile, OfVerifyAndTrain) {
  const SampleFile verify = read(verify_result_to_json_text(example_verify()));
  EXPECT_EQ(verify.metrics.back().name, "measured_over_predicted");
  EXPECT_EQ(verify.metrics.back().kind, MetricKind::ratio);
  EXPECT_EQ(verify.metrics.size(), 1 + example_verify().rows.size());
  const SampleFile train = read(train_result_to_json_text(example_train()));
  ASSERT_EQ(train.metrics.size(), 1u);
  EXPECT_EQ(train.metrics[0].repetitions.size(), example_train().epochs.size());
}

constexpr const char* kGoogle = R"({
  "context": {"date": "2026-01-01", "num_cpus": 2, "caches": [{"type": "Data", "level": 1}], "load_avg": [1, 2]},
  "benchmarks": [
    {"name": "f/1", "run_name": "f/1", "run_type": "iteration", "repetition_index": 0, "real_time": 2.5, "cpu_time": 2, "time_unit": "ms"},
    {"name": "f/1", "run_name": "f/1", "run_type": "iteration", "repetition_index": 1, "real_time": 3.5, "cpu_time": 2, "time_unit": "ms"},
    {"name": "f/1_mean", "run_name": "f/1", "run_type": "aggregate", "aggregate_name": "mean", "real_time": 3, "time_unit": "ms"},
    {"name": "old", "real_time": 7, "cpu_time": 2},
    {"name": "old_median", "real_time": 7, "cpu_time": 2},
    {"name": "bad", "run_type": "iteration", "error_occurred": true, "error_message": "no GPU"}]})";

TEST(SampleFile, OfGoogleBenchmark) {
  const SampleFile file = read(kGoogle);
  ASSERT_EQ(file.metrics.size(), 2u);
  EXPECT_EQ(file.metrics[0].name, "f/1");
  EXPECT_THAT(file.metrics[0].repetitions, ElementsAre(2.5e-3, 3.5e-3));
  EXPECT_THAT(file.metrics[1].repetitions, ElementsAre(::testing::DoubleEq(7e-9)));
  EXPECT_THAT(file.left_out, ElementsAre(LeftOut{"bad", "failed: no GPU"}));
  EXPECT_EQ(file.environment.at("num_cpus"), "2");
}

TEST(GoogleBenchmark, WrittenAndReadAgainIsTheSame) {
  const SampleFile file = read(kBench);
  std::vector<LeftOut> left_out;
  const SampleFile again = read(google_benchmark_text(file, left_out));
  EXPECT_THAT(left_out, ElementsAre(LeftOut{"b", "Google Benchmark's JSON holds times only"}));
  ASSERT_EQ(again.metrics.size(), 1u);
  EXPECT_EQ(again.metrics[0], file.metrics[0]);
  for (const auto& [key, text] : file.environment) EXPECT_EQ(again.environment.at(key), text);
}

TEST(SampleFile, MistakesAreNamed) {
  EXPECT_THAT(complaint("[]"), HasSubstr("expected a JSON object"));
  EXPECT_THAT(complaint("{}"), HasSubstr("neither a result of dtbench"));
  EXPECT_THAT(complaint(R"({"schema": "dtbench.rnu/1"})"), HasSubstr("did you mean 'dtbench.run/1'?"));
  EXPECT_THAT(complaint(R"({"schema": 7})"), HasSubstr("neither a result"));
  EXPECT_THAT(complaint(R"({"benchmarks": []})"), HasSubstr("no metric"));
  EXPECT_THAT(complaint(R"({"benchmarks": [{"name": "f_mean", "run_type": "aggregate", "real_time": 1}]})"),
              HasSubstr("aggregates only"));
  EXPECT_THAT(complaint(R"({"benchmarks": [{"name": "f", "real_time": 1, "time_unit": "sec"}]})"),
              HasSubstr("x.json:/benchmarks/0/time_unit"));
  EXPECT_THAT(complaint(R"({"benchmarks": [{"name": "f", "run_type": "iteration"}]})"),
              HasSubstr("'real_time' is missing"));
  EXPECT_THAT(complaint(R"({"benchmarks": [{"name": "f", "real_time": NaN}]})"), HasSubstr("not JSON"));
  EXPECT_THAT(complaint(R"({"benchmarks": [{"name": "f", "real_time": "fast"}]})"), HasSubstr("a finite number"));
  EXPECT_THAT(complaint(R"({"benchmarks": [{"name": "f", "real_time": 0}]})"), HasSubstr("not above 0"));
  EXPECT_THAT(complaint(R"({"schema": "dtbench.bench/1", "environment": {}, "metrics": [
      {"name": "a", "unit": "s", "better": "lower", "repetitions": [1]},
      {"name": "a", "unit": "s", "better": "lower", "repetitions": [1]}]})"),
              HasSubstr("metric 'a' twice"));
  EXPECT_THAT(complaint(R"({"schema": "dtbench.bench/1", "environment": {}, "metrics": [
      {"name": "a", "unit": "s", "better": "faster", "repetitions": [1]}]})"),
              HasSubstr("'lower' or 'higher'"));
}

}  // namespace
}  // namespace dtbench
