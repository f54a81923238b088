#include "reports/validate_result.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reports/schema_check.h"
#include "reports/terminal.h"
#include "reports/validate_json.h"

namespace dtbench {
namespace {

ValidateRow row(const std::string& id, double measured, double predicted, const std::string& devices) {
  return {id, "S1", {{"devices", devices}, {"system", "V100@dgx1"}}, "images/s", measured, predicted, predicted * 0.9,
          predicted * 1.05};
}

ValidateResult example() {
  ValidateResult result;
  result.command = "dtbench validate --kind scaling";
  result.kind = "scaling";
  result.data = "scaling.csv";
  result.cross_validate = "system";
  result.parameters = "fitted";
  result.rows = {row("a", 100, 104, "16"), row("b", 100, 80, "2"), row("c", 200, 190, "2")};
  result.skipped = {{"d", 7, "no batch is known"}};
  result.assumed = {{"a", 4, "an unknown network taken as usual"}};
  result.timing_of_dtbench = {{"total", 0.1}};
  result.max_error = 0.04;
  summarise(result);
  result.baselines["linear scaling"] = result.summary;
  return result;
}

TEST(ValidateResult, SummarisesErrorsAsTheFormatSays) {
  const ValidateResult result = example();
  EXPECT_DOUBLE_EQ(result.summary.median_abs_error, 0.05);
  EXPECT_NEAR(result.summary.p90_abs_error, 0.05 + 0.8 * 0.15, 1e-12);
  EXPECT_DOUBLE_EQ(result.summary.bias, -0.05);
  EXPECT_DOUBLE_EQ(result.summary.coverage, 1.0 / 3);
  EXPECT_NEAR(result.summary.band, 0.075, 1e-12);
  EXPECT_FALSE(result.passed);
  EXPECT_EQ(summary_line(result),
            "median_abs_error=0.0500 p90_abs_error=0.1700 bias=-0.0500 coverage=0.3333 band=0.0750 n=3 skipped=1");
}

TEST(ValidateResult, BreaksDownByEveryGroupInOrder) {
  const ValidateResult result = example();
  ASSERT_EQ(result.groups.size(), 3u);
  EXPECT_EQ(result.groups[0].name, "2") << "2 comes before 16";
  EXPECT_EQ(result.groups[0].summary.n, 2);
  EXPECT_EQ(result.groups[2].by, "system");
}

TEST(ValidateResult, WorstRowsComeFirst) {
  const auto worst = worst_rows(example().rows, 2);
  ASSERT_EQ(worst.size(), 2u);
  EXPECT_EQ(worst[0].id, "b");
}

TEST(ValidateResult, NothingToJudgeFailsOnlyWhenAnErrorWasDemanded) {
  ValidateResult result;
  summarise(result);
  EXPECT_TRUE(result.passed);
  result.max_error = 1;
  summarise(result);
  EXPECT_FALSE(result.passed);
}

TEST(ValidateResult, JsonFollowsItsSchemaAndReadsBack) {
  const ValidateResult result = example();
  const std::string text = validate_result_to_json_text(result);
  EXPECT_TRUE(schema_faults(text, std::string(DTBENCH_SOURCE_DIRECTORY) + "/reports/validate.schema.json").empty());
  EXPECT_EQ(validate_result_from_json(Json::parse(text), "test"), result);
}

TEST(ValidateResult, TheScreenEndsInTheSummaryLine) {
  const ValidateResult result = example();
  EXPECT_TRUE(terminal_text(result, {}).ends_with("\n" + summary_line(result) + "\n"));
  EXPECT_NE(terminal_text(result, {}).find("1: no batch is known (d)"), std::string::npos);
}

}  // namespace
}  // namespace dtbench
