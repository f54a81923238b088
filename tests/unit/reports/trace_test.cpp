#include "reports/trace.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "tests/unit/reports/example_trace.h"
#include "topologies/base/json_reader.h"

namespace dtbench {
namespace {

// Two runners of one plan: the simulator traces one rank, the engine both.
Json events_of_two_runners() {
  static const StepPlan plan = example_plan();
  StepTrace measured = example_trace();
  measured.runner = "cpu";
  measured.ranks.push_back(measured.ranks.front());
  measured.ranks.back().rank = 1;
  const std::string text =
      chrome_trace_json_text({{&plan, example_trace(), "predicted"}, {&plan, measured, "measured"}});
  return parse_json(text, "trace").at("traceEvents");
}

TEST(ChromeTrace, GivesEachRunnerAndRankItsOwnNamedProcess) {
  std::set<std::string> names;
  std::set<int> processes;
  for (const Json& event : events_of_two_runners()) {
    processes.insert(event.at("pid").get<int>());
    if (event.at("name") == "process_name") names.insert(event.at("args").at("name").get<std::string>());
  }
  EXPECT_EQ(processes, (std::set<int>{0, 1, 2}));
  EXPECT_EQ(names, (std::set<std::string>{"predicted (closed-form), rank 0", "measured (cpu), rank 0",
                                          "measured (cpu), rank 1"}));
}

TEST(ChromeTrace, ShowsEveryOperationOnItsStreamInMicroseconds) {
  int spans = 0;
  for (const Json& event : events_of_two_runners()) {
    if (event.at("ph") != "X") continue;
    ++spans;
    if (event.at("name") != "bucket/all_reduce") continue;
    EXPECT_EQ(event.at("tid"), static_cast<int>(Stream::communication));
    EXPECT_NEAR(event.at("ts").get<double>(), 6000, 1e-6);
    EXPECT_NEAR(event.at("dur").get<double>(), 3000, 1e-6);
    EXPECT_EQ(event.at("args").at("message_bytes"), 30'000'000);
  }
  EXPECT_EQ(spans, 3 * 4);
}

}  // namespace
}  // namespace dtbench
