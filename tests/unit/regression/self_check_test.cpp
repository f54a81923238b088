#include "reports/regression/self_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "reports/schema_check.h"

namespace dtbench {
namespace {

std::vector<double> series_of(std::size_t count, double noise, double wander) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::vector<double> series;
  double level = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (i % 20 == 0) level = wander * normal(random);
    series.push_back(0.002 * std::exp(level + noise * normal(random)));
  }
  return series;
}

const SelfCheckRow& row_of(const SelfCheckReport& report, std::size_t repetitions, bool in_turns) {
  for (const SelfCheckRow& row : report.rows)
    if (row.repetitions == repetitions && row.in_turns == in_turns) return row;
  throw std::out_of_range("no such row");
}

TEST(SelfCheck, MeasuresTheNoiseThatIsThere) {
  for (const double noise : {0.01, 0.04}) {
    const SelfCheckReport report = self_check(series_of(900, noise, 0), {});
    EXPECT_NEAR(report.noise, noise, 0.15 * noise);
    EXPECT_LE(row_of(report, 9, true).false_alarms, 0.01);
    EXPECT_GE(row_of(report, 9, true).false_alarms_bound, 0.01);  // 50 independent comparisons cannot say less
  }
}

TEST(SelfCheck, AQuietMachineNeedsFewRepetitionsANoisyOneMany) {
  const SelfCheckReport quiet = self_check(series_of(900, 0.005, 0), {}),
                        noisy = self_check(series_of(900, 0.04, 0), {});
  EXPECT_LE(quiet.recommended_repetitions, 9u);
  EXPECT_LE(quiet.recommended_threshold, 0.02);
  EXPECT_GE(noisy.recommended_repetitions, 30u);
  EXPECT_GE(noisy.recommended_threshold, 0.05);
}

TEST(SelfCheck, AWanderingLevelAlarmsUnlessMeasuredInTurns) {
  const SelfCheckReport report = self_check(series_of(1800, 0.005, 0.06), {});
  EXPECT_GT(row_of(report, 9, false).false_alarms, 0.05);
  EXPECT_LT(row_of(report, 9, true).false_alarms, 0.2 * row_of(report, 9, false).false_alarms);
  EXPECT_GT(report.wander, 0.02);
}

TEST(SelfCheck, JsonFollowsItsSchema) {
  const std::string text = self_check_to_json_text(self_check(series_of(100, 0.3, 0), {}), "c", {{"cpu", "x"}});
  const auto faults = schema_faults(text, std::string(DTBENCH_SOURCE_DIRECTORY) + "/reports/self_check.schema.json");
  EXPECT_TRUE(faults.empty()) << faults[0].pointer << " " << faults[0].text;
}

TEST(SelfCheck, SaysWhatToDo) {
  const std::string text = terminal_text(self_check(series_of(300, 0.01, 0), {}), {});
  EXPECT_THAT(text, ::testing::HasSubstr("recommended"));
  EXPECT_THAT(text, ::testing::HasSubstr("one after the other"));
}

}  // namespace
}  // namespace dtbench
