#include "reports/headline.h"

#include <gtest/gtest.h>

#include "reports/memory_report.h"
#include "reports/scaling.h"
#include "tests/unit/reports/example_result.h"

namespace dtbench {
namespace {

RunResult run_of(std::vector<Point> points) {
  RunResult result = example_run();
  result.points = std::move(points);
  derive_scaling(result.points);
  return result;
}

TEST(Headline, SaysYesOnlyWhenTheWholeBandIsAboveOne) {
  EXPECT_EQ(headline(run_of({example_point(1, 0.01, 0.1), example_point(8, 0.012, 0.1)})).outlook, Outlook::faster);
  EXPECT_EQ(headline(run_of({example_point(1, 0.01, 0.1), example_point(2, 0.019, 0.5)})).outlook, Outlook::unclear);
  EXPECT_EQ(headline(run_of({example_point(1, 0.01, 0.1), example_point(2, 0.040, 0.1)})).outlook, Outlook::slower);
}

TEST(Headline, NamesTheLinkThatLimits) {
  const std::string text = headline(example_run()).text;
  EXPECT_EQ(text,
            "Yes: 8 x A100-SXM4-80GB train 5.5 times as fast as 1 (4.4 to 7.6), 69 % of linear. What limits it is "
            "NVLink3 through NVSwitch (31 % of the step).");
}

TEST(Headline, ComparesWithTheSmallestCountEvenIfItIsNotOne) {
  const std::string text = headline(run_of({example_point(4, 0.01, 0.1), example_point(8, 0.01, 0.1)})).text;
  EXPECT_NE(text.find("2.00 times as fast as 4 (1.95 to 2.05)"), std::string::npos) << text;
}

TEST(Headline, NamesTheCountThatWouldBeFastest) {
  const auto result =
      run_of({example_point(1, 0.010, 0.1), example_point(2, 0.012, 0.1), example_point(4, 0.040, 0.1)});
  EXPECT_NE(headline(result).text.find("2 devices would train fastest"), std::string::npos) << headline(result).text;
}

TEST(Headline, OfOnePointIsItsThroughput) {
  const Headline answer = headline(run_of({example_point(1, 0.010, 0.1)}));
  EXPECT_EQ(answer.outlook, Outlook::single);
  EXPECT_EQ(answer.text,
            "1 x A100-SXM4-80GB: 12.8 k images/s (11.6 to 14.2). What limits it is computing (92 % of the step).");
}

TEST(Headline, PutsMemoryBeforeSpeed) {
  RunResult result = example_run();
  result.points.back().memory_bytes = memory_report({.total = 123'000'000'000}, 80'000'000'000);
  const Headline answer = headline(result);
  EXPECT_EQ(answer.outlook, Outlook::does_not_fit);
  EXPECT_EQ(answer.text.find("It does not fit: each device needs 123 GB of its 80 GB."), 0u) << answer.text;
}

}  // namespace
}  // namespace dtbench
