#include "reports/result_json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "reports/findings.h"
#include "reports/schema_check.h"
#include "reports/train_json.h"
#include "reports/bench_json.h"
#include "reports/verify_json.h"
#include "tests/unit/reports/example_result.h"

namespace dtbench {
namespace {

std::string schema_path(const std::string& name) { return std::string(DTBENCH_SOURCE_DIRECTORY) + "/reports/" + name; }

void expect_valid(const std::string& text, const std::string& schema) {
  for (const SchemaFault& fault : schema_faults(text, schema_path(schema)))
    ADD_FAILURE() << schema << ": " << fault.pointer << ": " << fault.text;
}

// Random results: any half of a quantity may be missing, numbers span twenty orders of magnitude.
class RandomResult {
 public:
  explicit RandomResult(std::uint64_t seed) : random_(seed) {}

  RunResult run() {
    RunResult result = example_run();
    result.command = text();
    result.environment = {{text(), text()}};
    result.calibration = calibration();
    result.points = points();
    result.closed_loop = {text(), calibration(), points(), std::nullopt, text()};
    if (chance()) {
      result.closed_loop.median_abs_error = amount();
      result.closed_loop.reason.clear();
    }
    result.findings = {{"a-code", "warning", text(), {{text(), amount()}}}};
    result.timing_of_dtbench = {{"total", amount()}};
    return result;
  }

  double amount() { return std::exp(std::uniform_real_distribution<double>(-23, 23)(random_)); }
  bool chance() { return std::bernoulli_distribution(0.5)(random_); }
  std::int64_t whole(std::int64_t least) {
    return std::uniform_int_distribution<std::int64_t>(least, std::int64_t{1} << 40)(random_);
  }
  std::string text() {
    const char* const samples[] = {"plain", "with \"quotes\"", "caf\xc3\xa9", "tab\tand\nnewline", "a/b~c"};
    return samples[std::uniform_int_distribution<int>(0, 4)(random_)];
  }

 private:
  CalibrationReport calibration() {
    CalibrationReport report{text(), text(), origin(), std::nullopt, text()};
    if (chance()) {
      report.holdout_error = amount();
      report.reason.clear();
    }
    return report;
  }
  Origin origin() { return static_cast<Origin>(std::uniform_int_distribution<int>(0, 3)(random_)); }
  Quantity quantity() {
    Quantity result;
    if (chance()) {
      const double low = amount(), value = low + amount();
      result.predicted = Predicted{value, low, value + amount(), origin()};
    }
    if (chance()) result.measured = Measured{amount(), {amount(), amount()}};
    if (!result.predicted || !result.measured) result.reason = text();
    return result;
  }
  std::vector<Point> points() {
    std::vector<Point> points(std::uniform_int_distribution<std::size_t>(0, 3)(random_));
    for (Point& point : points) {
      point.devices = std::uniform_int_distribution<int>(1, 65536)(random_);
      point.nodes = std::uniform_int_distribution<int>(1, 512)(random_);
      point.global_batch = whole(1);
      point.batch_per_replica = whole(1);
      for (Quantity* q : {&point.step_seconds, &point.samples_per_second, &point.speedup, &point.efficiency,
                          &point.exposed_communication_seconds, &point.compute_seconds, &point.input_seconds})
        *q = quantity();
      point.memory_bytes = {whole(0), whole(0), whole(0), whole(0),
                            whole(0), whole(0), whole(0), chance() ? "no" : "fits"};
      point.bottleneck = chance() ? BottleneckReport{"communication", text(), amount()} : BottleneckReport{};
      if (chance()) point.collective_algorithm = "ring", point.collective_executed_by = "schedule";
      point.extrapolated_share = amount();
    }
    return points;
  }

  std::mt19937_64 random_;
};

RunResult read_back(const RunResult& result) {
  return run_result_from_json(parse_json(run_result_to_json_text(result), "memory"), "memory");
}

TEST(ResultJson, ReadsBackWhatItWrote) {
  EXPECT_EQ(read_back(example_run()), example_run());
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const RunResult result = RandomResult(seed).run();
    EXPECT_TRUE(read_back(result) == result) << "seed " << seed << "\n" << run_result_to_json_text(result);
  }
}

TEST(ResultJson, FollowsItsSchema) {
  RunResult example = example_run();
  example.findings = find_findings(example);
  expect_valid(run_result_to_json_text(example), "result.schema.json");
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_valid(run_result_to_json_text(RandomResult(seed).run()), "result.schema.json");
  }
}

TEST(ResultJson, KeepsTheOrderOfTheFormat) {
  const Json json = parse_json(run_result_to_json_text(example_run()), "memory");
  std::vector<std::string> keys;
  for (const auto& item : json.items()) keys.push_back(item.key());
  const std::vector<std::string> expected = {
      "schema",      "command", "spec",        "environment", "topology",         "model",
      "calibration", "points",  "closed_loop", "findings",    "timing_of_dtbench"};
  EXPECT_EQ(keys, expected);
}

TEST(ResultJson, GivesAReasonForEveryNull) {
  const std::function<void(const Json&, const std::string&)> walk = [&](const Json& node, const std::string& at) {
    if (!node.is_structured()) return;
    for (const auto& item : node.items()) {
      EXPECT_TRUE(!item.value().is_null() || node.contains("reason")) << at << "/" << item.key();
      walk(item.value(), at + "/" + item.key());
    }
  };
  RunResult result = example_run();
  result.points.front().step_seconds.reason.clear();
  result.points.front().bottleneck = {};
  walk(parse_json(run_result_to_json_text(result), "memory"), "");
}

TEST(ResultJsonDeathTest, RefusesNumbersThatNoMeasurementGives) {
  const double bad[] = {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), -1e-9};
  for (const double value : bad) {
    RunResult result = example_run();
    result.points.front().step_seconds.predicted->high = value;
    EXPECT_DEATH(run_result_to_json_text(result), "high|isfinite") << value;
    result = example_run();
    result.timing_of_dtbench["total"] = value;
    EXPECT_DEATH(run_result_to_json_text(result), "isfinite") << value;
  }
}

TEST(ResultJsonDeathTest, RefusesAValueOutsideItsBand) {
  RunResult result = example_run();
  result.points.front().step_seconds.predicted->low = 1e6;
  EXPECT_DEATH(run_result_to_json_text(result), "low");
}

struct BadEdit {
  const char* pointer;
  Json value;
  const char* message;
};

TEST(ResultJson, NamesThePlaceOfWhatIsWrong) {
  const BadEdit edits[] = {
      {"/schema", "dtbench.run/2", "r.json:/schema: 'dtbench.run/2'; expected 'dtbench.run/1'"},
      {"/points/1/step_seconds/predicted/low", -1, "r.json:/points/1/step_seconds/predicted/low"},
      {"/points/1/step_seconds/predicted/low", 7.5, "r.json:/points/1/step_seconds/predicted/value"},
      {"/points/0/step_seconds/reason", nullptr, "r.json:/points/0/step_seconds/reason"},
      {"/points/0/memory_bytes/verdict", "fit", "did you mean 'fits'?"},
      {"/points/0/devices", 0, "r.json:/points/0/devices"},
      {"/points/0/speedupp", 1, "r.json:/points/0: unknown key 'speedupp'"},
      {"/calibration/origin", "guess", "r.json:/calibration/origin"},
      {"/findings", 3, "r.json:/findings"},
  };
  const std::string good = run_result_to_json_text(example_run());
  for (const BadEdit& edit : edits) {
    Json json = parse_json(good, "memory");
    json[Json::json_pointer(edit.pointer)] = edit.value;
    try {
      run_result_from_json(json, "r.json");
      ADD_FAILURE() << "accepted " << edit.pointer;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(edit.message), std::string::npos) << error.what();
      EXPECT_EQ(error.code(), ExitCode::bad_input);
    }
  }
}

TEST(VerifyJson, ReadsBackWhatItWroteByItsSchema) {
  const std::string text = verify_result_to_json_text(example_verify());
  EXPECT_EQ(verify_result_from_json(parse_json(text, "memory"), "memory"), example_verify());
  expect_valid(text, "verify.schema.json");
}

TEST(BenchJson, ReadsBackWhatItWroteByItsSchema) {
  const std::string text = bench_result_to_json_text(example_bench());
  EXPECT_EQ(bench_result_from_json(parse_json(text, "memory"), "memory"), example_bench());
  expect_valid(text, "bench.schema.json");
}

TEST(BenchJson, RefusesAMetricWithoutRepetitions) {
  Json document = parse_json(bench_result_to_json_text(example_bench()), "memory");
  document["metrics"][1]["repetitions"] = Json::array();
  try {
    bench_result_from_json(document, "memory");
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("/metrics/1/repetitions"), std::string::npos) << error.what();
  }
}

TEST(TrainJson, ReadsBackWhatItWroteByItsSchema) {
  const std::string text = train_result_to_json_text(example_train());
  EXPECT_EQ(train_result_from_json(parse_json(text, "memory"), "memory"), example_train());
  expect_valid(text, "train.schema.json");
}

TEST(TrainJson, HoldsTheLossScaleOfAPrecisionThatHasOne) {
  TrainResult result = example_train();
  result.loss_scale = {16384, 3, "layer1/weight/gradient"};
  const std::string text = train_result_to_json_text(result);
  EXPECT_EQ(train_result_from_json(parse_json(text, "memory"), "memory"), result);
  expect_valid(text, "train.schema.json");
}

TEST(TrainJson, SaysWhyThereIsNoTarget) {
  TrainResult result = example_train();
  result.target.reset();
  result.reached.reset();
  const std::string text = train_result_to_json_text(result);
  EXPECT_EQ(train_result_from_json(parse_json(text, "memory"), "memory"), result);
  EXPECT_EQ(parse_json(text, "memory").at("reason"), "no target accuracy was asked for");
  expect_valid(text, "train.schema.json");
}

}  // namespace
}  // namespace dtbench
