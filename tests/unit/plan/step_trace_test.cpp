#include "engine/plan/step_trace.h"

#include <gtest/gtest.h>

#include "tests/unit/plan/hand_made_class.h"

namespace dtbench {
namespace {

// Operations: 0, 1 compute; 2, 3 collectives; 4 input.
StepPlan plan_of_five() {
  HandMadeClass made;
  for (const auto& [type, stream] : std::vector<std::pair<OpType, Stream>>{{OpType::compute, Stream::compute},
                                                                           {OpType::compute, Stream::compute},
                                                                           {OpType::collective, Stream::communication},
                                                                           {OpType::collective, Stream::communication},
                                                                           {OpType::host_transfer, Stream::host}}) {
    made.op("op" + std::to_string(made.cls.ops.size()), stream, {}, {});
    made.cls.ops.back().type = type;
  }
  StepPlan plan;
  plan.classes = {made.cls};
  return plan;
}

StepTrace trace_of(std::vector<OpSpan> spans) { return {"test", 10, {{0, 0, std::move(spans)}}}; }

TEST(ExposedCommunication, IsWhatNoComputeHides) {
  const StepPlan plan = plan_of_five();
  EXPECT_EQ(exposed_communication_seconds(plan, trace_of({{0, 0, 4}, {2, 1, 3}})), 0);
  EXPECT_EQ(exposed_communication_seconds(plan, trace_of({{0, 0, 4}, {2, 3, 7}})), 3);
  EXPECT_EQ(exposed_communication_seconds(plan, trace_of({{0, 0, 2}, {1, 4, 5}, {2, 1, 6}})), 3);
  EXPECT_EQ(exposed_communication_seconds(plan, trace_of({{0, 2, 3}, {2, 0, 1}, {3, 5, 7}})), 3);
}

TEST(ExposedCommunication, CountsOverlappingCollectivesOnce) {
  EXPECT_EQ(exposed_communication_seconds(plan_of_five(), trace_of({{2, 0, 4}, {3, 2, 6}})), 6);
}

TEST(ExposedCommunication, IsNotHiddenByInput) {
  EXPECT_EQ(exposed_communication_seconds(plan_of_five(), trace_of({{2, 0, 4}, {4, 0, 4}})), 4);
}

TEST(ExposedCommunication, IsTheLargestOverRanks) {
  StepTrace trace = trace_of({{2, 0, 1}});
  trace.ranks.push_back({1, 0, {{2, 0, 5}, {0, 0, 2}}});
  EXPECT_EQ(exposed_communication_seconds(plan_of_five(), trace), 3);
}

TEST(BusySeconds, CoverEachStreamOnItsOwn) {
  const StepTrace trace = trace_of({{0, 0, 2}, {1, 2, 3}, {2, 1, 9}, {4, 0, 0}});
  EXPECT_EQ(busy_seconds(plan_of_five(), trace, Stream::compute), 3);
  EXPECT_EQ(busy_seconds(plan_of_five(), trace, Stream::communication), 8);
  EXPECT_EQ(busy_seconds(plan_of_five(), trace, Stream::host), 0);
}

}  // namespace
}  // namespace dtbench
