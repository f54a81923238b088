#include "bench/turns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "topologies/base/error.h"

namespace dtbench {
namespace {

using ::testing::ElementsAre;

SampleFile run_of(std::vector<double> repetitions, const std::string& date) {
  return {"x",
          "dtbench.bench/1",
          {{"date", date}},
          {{"a", "s", Better::lower, MetricKind::absolute, std::move(repetitions)}},
          {}};
}

TEST(Turns, HoldBothCommandsEquallyAndCancelADrift) {
  const std::vector<int> order = order_of_turns(4);
  EXPECT_THAT(order, ElementsAre(0, 1, 1, 0, 0, 1, 1, 0));
  int places[2] = {0, 0};
  for (std::size_t i = 0; i < order.size(); ++i) places[order[i]] += static_cast<int>(i);
  EXPECT_EQ(places[0], places[1]);
}

TEST(Turns, GiveOneMedianARun) {
  int runs = 0;
  const RunCommand run = [&](const std::string& command) {
    ++runs;
    return run_of({1. * runs, 100, 0.001}, command == "a" ? "day 1" : "day 2");
  };
  Progress quiet(true);
  const auto [base, changed] = measure_in_turns({"a", "b", 3}, run, quiet);
  EXPECT_EQ(runs, 6);
  ASSERT_EQ(base.metrics.size(), 1u);
  EXPECT_THAT(base.metrics[0].repetitions, ElementsAre(1, 4, 5));
  EXPECT_THAT(changed.metrics[0].repetitions, ElementsAre(2, 3, 6));
  EXPECT_EQ(changed.environment.at("date"), "day 1");
}

TEST(Turns, LeaveOutWhatSomeRunsLack) {
  int runs = 0;
  const RunCommand run = [&](const std::string&) {
    SampleFile file = run_of({1}, "d");
    if (++runs == 3) file.metrics.clear();
    return file;
  };
  Progress quiet(true);
  const auto [base, changed] = measure_in_turns({"a", "b", 2}, run, quiet);
  EXPECT_EQ(changed.metrics.size(), 0u);
  EXPECT_THAT(changed.left_out, ElementsAre(LeftOut{"a", "in 1 of 2 runs only"}));
  EXPECT_EQ(base.metrics.size(), 1u);
}

constexpr const char* kResult = R"({"schema": "dtbench.bench/1", "environment": {"cpu": "x"},
  "metrics": [{"name": "a", "unit": "s", "better": "lower", "repetitions": [3]}]})";

TEST(Turns, ReadStandardOutputOrTheNamedFile) {
  const std::string print = std::string("printf '%s' '") + kResult + "'";
  EXPECT_THAT(run_by_shell(print).metrics.at(0).repetitions, ElementsAre(3));
  EXPECT_THAT(run_by_shell("echo noise; " + print + " >{}").metrics.at(0).repetitions, ElementsAre(3));
}

TEST(Turns, NameTheCommandThatFailed) {
  const auto complaint = [](const std::string& command) -> std::string {
    try {
      run_by_shell(command);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(complaint("exit 7"), "--ab exit 7: ended with status 7; expected status 0");
  EXPECT_THAT(complaint("true {}"), ::testing::HasSubstr("wrote no result"));
  EXPECT_THAT(complaint("echo '{}x'"), ::testing::HasSubstr("--ab echo"));
  EXPECT_THAT(complaint("echo 5"), ::testing::HasSubstr("expected a JSON object"));
}

}  // namespace
}  // namespace dtbench
