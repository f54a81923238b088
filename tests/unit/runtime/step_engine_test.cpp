#include "engine/runtime/step_engine.h"

#include <gtest/gtest.h>

#include "tests/support/fake_backend.h"
#include "tests/support/layered_plan.h"
#include "topologies/base/error.h"

namespace dtbench {
namespace {

TEST(StepEngine, ReturnsAsManyTracesAsAskedForAndWarmsUpBefore) {
  FakeBackend backend;
  std::atomic<int> uses{0};
  backend.settings().on_run = [&](const FakeCall& call) { uses += call.op.name.starts_with("use"); };
  StepEngine engine(backend, {});
  EXPECT_EQ(engine.name(), "fake");
  EXPECT_EQ(engine.run(layered_plan({1, 1, 16}), 5).size(), 5u);
  EXPECT_GE(uses, 5 + 1 + 2);
}

TEST(StepEngine, KeepsTheSessionsOfPlansThatAreRunInTurn) {
  FakeBackend backend;
  StepEngine engine(backend, {});
  const StepPlan a = layered_plan({1, 1, 16}), b = layered_plan({2, 1, 16});
  engine.run(a, 1);
  engine.run(b, 1);
  const std::int64_t allocated = backend.settings().allocated_bytes;
  EXPECT_EQ(allocated, a.classes[0].memory.arena_bytes + 2 * b.classes[0].memory.arena_bytes);
  for (int i = 0; i < 3; ++i) {
    engine.run(a, 2);
    engine.run(b, 2);
  }
  EXPECT_EQ(backend.settings().allocated_bytes, allocated);
}

TEST(StepEngine, ClosesTheOldestSessionsBeyondTheMost) {
  FakeBackend backend;
  StepEngine engine(backend, {});
  const auto plan = [](std::int64_t elements) { return layered_plan({1, 1, elements}); };
  for (std::size_t i = 0; i <= StepEngine::kMostSessions; ++i) engine.run(plan(16 * static_cast<int>(i + 1)), 1);
  std::int64_t allocated = backend.settings().allocated_bytes;
  engine.run(plan(32), 1);
  EXPECT_EQ(backend.settings().allocated_bytes, allocated);
  engine.run(plan(16), 1);
  EXPECT_EQ(backend.settings().allocated_bytes, allocated + 64);
}

TEST(StepEngine, OpensANewSessionAfterAFailure) {
  FakeBackend backend;
  std::atomic<bool> fail{false};
  backend.settings().on_run = [&](const FakeCall&) {
    if (fail) throw_bad_input({"kernel", "a burst pipe", "", ""});
  };
  StepEngine engine(backend, {});
  const StepPlan plan = layered_plan({2, 1, 16});
  engine.run(plan, 1);
  fail = true;
  EXPECT_THROW(engine.run(plan, 1), Error);
  fail = false;
  EXPECT_EQ(engine.run(plan, 3).size(), 3u);
}

}  // namespace
}  // namespace dtbench
