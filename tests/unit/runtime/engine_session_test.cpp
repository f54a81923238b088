#include "engine/runtime/engine_session.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

#include "engine/runtime/rank_map.h"
#include "tests/support/fake_backend.h"
#include "tests/support/layered_plan.h"
#include "topologies/base/error.h"

namespace dtbench {
namespace {

using namespace std::chrono_literals;

std::span<float> floats(const Buffer& buffer) {
  return {static_cast<float*>(buffer.data), static_cast<std::size_t>(buffer.elements())};
}

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

EngineOptions options_with_limit(double seconds) {
  EngineOptions options;
  options.wait_limit_seconds = seconds;
  return options;
}

void spin_for(std::chrono::microseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) {
  }
}

TEST(EngineSession, AllocatesExactlyTheArenaOfThePlan) {
  FakeBackend backend;
  LayeredPlanShape shape{3, 5, 100, 4};
  const StepPlan plan = layered_plan(shape);
  const auto session = open_session(backend, plan, {});
  for (int rank = 0; rank < 3; ++rank) EXPECT_EQ(session->arena_bytes(rank), plan.classes[0].memory.arena_bytes);
  EXPECT_EQ(backend.settings().allocated_bytes, 3 * plan.classes[0].memory.arena_bytes);
}

// make writes rank + step; use must see the sum over ranks, in each step, although steps run back to back.
TEST(EngineSession, ReducesWhatWasMadeInTheSameStep) {
  constexpr int kRanks = 3, kSteps = 50;
  FakeBackend backend;
  std::atomic<int> wrong{0}, uses{0};
  backend.settings().on_run = [&](const FakeCall& call) {
    if (call.op.name.starts_with("make"))
      std::ranges::fill(floats(call.outputs[0]), static_cast<float>(call.device + call.count));
    if (!call.op.name.starts_with("use")) return;
    const float sum = static_cast<float>(kRanks * call.count + 3);
    wrong += std::ranges::count_if(floats(call.inputs[0]), [&](float value) { return value != sum; }) > 0;
    ++uses;
  };
  const auto session = open_session(backend, layered_plan({kRanks, 4, 101}), {});
  session->run(kSteps, false);
  session->run(kSteps, true);
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(uses, 2 * kSteps * kRanks * 4);
}

// Every dependency is respected in time, streams keep list order, and nothing has a negative time.
void expect_sound_trace(const StepPlan& plan, const StepTrace& trace) {
  ASSERT_EQ(trace.ranks.size(), static_cast<std::size_t>(plan.ranks));
  for (const RankTrace& rank : trace.ranks) {
    const RankClass& rank_class = plan.classes[static_cast<std::size_t>(rank.rank_class)];
    ASSERT_EQ(rank.spans.size(), rank_class.ops.size());
    std::map<Stream, double> stream_end;
    for (std::size_t i = 0; i < rank.spans.size(); ++i) {
      const OpSpan& span = rank.spans[i];
      const PlanOp& op = rank_class.ops[i];
      EXPECT_EQ(span.op, static_cast<OpId>(i));
      EXPECT_GE(span.start_seconds, stream_end[op.stream]) << op.name;
      EXPECT_GE(span.end_seconds, span.start_seconds) << op.name;
      stream_end[op.stream] = span.end_seconds;
      for (const Dependency& dependency : op.after) {
        if (dependency.step_distance > 0) continue;
        EXPECT_GE(span.start_seconds, rank.spans[static_cast<std::size_t>(dependency.op)].end_seconds) << op.name;
      }
    }
    EXPECT_GT(trace.step_seconds, 0);
  }
}

TEST(EngineSession, TracesOneSpanPerOpThatRespectsStreamsAndDependencies) {
  FakeBackend backend;
  backend.settings().on_run = [](const FakeCall&) { spin_for(20us); };
  LayeredPlanShape shape{2, 3, 1000, 8};
  const StepPlan plan = layered_plan(shape);
  const auto session = open_session(backend, plan, {});
  const auto traces = session->run(10, true);
  ASSERT_EQ(traces.size(), 10u);
  for (const StepTrace& trace : traces) {
    EXPECT_EQ(trace.runner, "fake");
    expect_sound_trace(plan, trace);
  }
  EXPECT_TRUE(session->run(1, false).empty());
}

// The periods of steps that run back to back add up to the time they take together.
TEST(EngineSession, StepSecondsAreThePeriodOfTheSteadyState) {
  FakeBackend backend;
  backend.settings().on_run = [](const FakeCall&) { std::this_thread::sleep_for(1ms); };
  const auto session = open_session(backend, layered_plan({1, 2, 4}), {});
  const auto start = std::chrono::steady_clock::now();
  double sum = 0;
  for (const StepTrace& trace : session->run(10, true)) sum += trace.step_seconds;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  EXPECT_GE(sum, 10 * 4 * 1e-3);
  EXPECT_LE(sum, took.count());
}

// While the first reduce is held up, the second layer is made: on one stream it would have to wait.
TEST(EngineSession, ComputeGoesOnWhileACollectiveIsSlow) {
  FakeBackend backend;
  std::atomic<int> made_last{0}, late{0};
  backend.settings().on_run = [&](const FakeCall& call) { made_last += call.op.name == "make2"; };
  backend.settings().on_collective = [&](int) {
    const auto limit = std::chrono::steady_clock::now() + 30s;
    while (made_last < 2 && std::chrono::steady_clock::now() < limit) std::this_thread::sleep_for(1ms);
    late += made_last < 2;
  };
  const StepPlan plan = layered_plan({2, 3, 16});
  const auto session = open_session(backend, plan, {});
  const auto traces = session->run(1, true);
  EXPECT_EQ(late, 0);
  for (const RankTrace& rank : traces[0].ranks)  // reduce0 ends after make2 did
    EXPECT_GT(rank.spans[3].end_seconds, rank.spans[2].end_seconds);
}

TEST(EngineSession, PrefetchesTheNextInputIntoTheOtherBuffer) {
  constexpr int kSteps = 20;
  FakeBackend backend;
  std::atomic<int> wrong{0};
  std::atomic<std::int64_t> filled{-1};
  std::atomic<bool> ahead{false};
  std::int64_t step = 0;  // the kernel is bound once per buffer, so its own count is not the step
  backend.settings().on_run = [&](const FakeCall& call) {
    if (call.op.name != "make0") return;
    for (int i = 0; i < 200 && filled <= step; ++i) std::this_thread::sleep_for(100us);
    ahead = ahead || filled > step;  // the next batch came while this one is in use
    wrong += floats(call.inputs[0])[0] != static_cast<float>(step);
    wrong += static_cast<std::int32_t*>(call.inputs[1].data)[0] != step;
    ++step;
  };
  const auto session = open_session(backend, layered_plan({1, 1, 16, 4}), {});
  session->set_input([&](int, std::int64_t of, std::span<InputField> fields) {
    std::ranges::fill(reals_of(fields, "features"), static_cast<float>(of));
    std::ranges::fill(integers_of(fields, "labels"), static_cast<std::int32_t>(of));
    filled = of;
  });
  session->run(kSteps, false);
  EXPECT_EQ(wrong, 0);
  EXPECT_TRUE(ahead);
}

TEST(EngineSession, NumbersStepsOnOverSeveralRunsAndReplicas) {
  FakeBackend backend;
  LayeredPlanShape shape{2, 1, 16, 4};
  shape.input_stream = Stream::compute;
  shape.input_buffers = 1;
  const auto session = open_session(backend, layered_plan(shape), {});
  std::mutex mutex;
  std::map<int, std::vector<std::int64_t>> steps;
  session->set_input([&](int replica, std::int64_t step, std::span<InputField>) {
    const std::lock_guard lock(mutex);
    steps[replica].push_back(step);
  });
  session->run(2, false);
  session->run(1, true);
  EXPECT_EQ(steps[0], (std::vector<std::int64_t>{0, 1, 2}));
  EXPECT_EQ(steps[1], (std::vector<std::int64_t>{0, 1, 2}));
}

TEST(EngineSession, ReadsAndWritesTensorsOfEachRank) {
  FakeBackend backend;
  const auto session = open_session(backend, layered_plan({2, 1, 3}), {});
  session->write(1, 0, std::vector<double>{1, 2, 3});
  EXPECT_EQ(session->read(1, 0), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(session->read(0, 0), (std::vector<double>{0, 0, 0}));
}

TEST(EngineSession, TakesTheLearningRateFromThePlanUntilItIsSet) {
  FakeBackend backend;
  std::vector<double> seen;
  backend.settings().on_run = [&](const FakeCall& call) {
    if (call.op.name.starts_with("use")) seen.push_back(call.scalars->learning_rate);
  };
  StepPlan plan = layered_plan({1, 1, 3});
  plan.classes[0].ops.back().attributes["learning_rate"] = 0.25;
  const auto session = open_session(backend, plan, {});
  session->run(1, false);
  session->set_learning_rate(0.125);
  session->run(1, false);
  EXPECT_EQ(seen, (std::vector<double>{0.25, 0.125}));
}

TEST(EngineSession, SkipsAnOpWhosePredicateIsZero) {
  FakeBackend backend;
  std::atomic<int> uses{0};
  backend.settings().on_run = [&](const FakeCall& call) {
    if (call.op.name.starts_with("make")) floats(call.outputs[0])[0] = call.count % 2 == 0 ? 0.0f : 1.0f;
    uses += call.op.name.starts_with("use");
  };
  StepPlan plan = layered_plan({1, 1, 1});
  plan.classes[0].ops.back().predicate = 0;
  const auto session = open_session(backend, plan, {});
  session->run(10, false);
  EXPECT_EQ(uses, 5);
}

TEST(EngineSession, ARankThatThrowsIsNamedAndEndsTheOthers) {
  FakeBackend backend;
  backend.settings().on_run = [&](const FakeCall& call) {
    if (call.device == 2 && call.op.name == "make1" && call.count == 3)
      throw Error(ExitCode::run_failed, {"kernel", "a burst pipe", "", ""});
  };
  const auto session = open_session(backend, layered_plan({4, 2, 16}), options_with_limit(600));
  EXPECT_EQ(error_of([&] { session->run(10, false); }), "rank 2, kernel: a burst pipe");
  EXPECT_EQ(error_of([&] { session->run(1, false); }), "engine session: a session that failed before (open a new one)");
}

TEST(EngineSession, AnErrorOfTheInputIsNamedToo) {
  FakeBackend backend;
  const auto session = open_session(backend, layered_plan({2, 1, 16, 4}), options_with_limit(600));
  session->set_input([](int replica, std::int64_t step, std::span<InputField>) {
    if (replica == 1 && step == 2) throw Error(ExitCode::bad_input, {"data.idx", "end of file", "an image", ""});
  });
  EXPECT_EQ(error_of([&] { session->run(10, false); }), "rank 1, data.idx: end of file; expected an image");
}

TEST(EngineSession, ASetUpErrorIsNamed) {
  FakeBackend backend;
  backend.settings().on_prepare = [](int device, const PlanOp& op) {
    if (device == 1) throw_bad_input({op.name, "no kernel", "", ""});
  };
  EXPECT_EQ(error_of([&] { open_session(backend, layered_plan({2, 1, 4}), {}); }), "rank 1, make0: no kernel");
}

/// A kernel that hangs until the test is over.
class Hang {
 public:
  void operator()() {
    std::unique_lock lock(mutex_);
    over_.wait(lock, [&] { return end_; });
    ++returned_;
  }
  // Lets the hanging thread go and waits until it has left: the test's variables live no longer.
  void end() {
    std::unique_lock lock(mutex_);
    end_ = true;
    over_.notify_all();
  }
  bool returned() {
    const std::lock_guard lock(mutex_);
    return returned_ > 0;
  }

 private:
  std::mutex mutex_;
  std::condition_variable over_;
  bool end_ = false;
  int returned_ = 0;
};

TEST(EngineSession, AStuckRankIsNamedByItsPeers) {
  const auto hang = std::make_shared<Hang>();
  FakeBackend backend;
  backend.settings().on_run = [hang](const FakeCall& call) {
    if (call.device == 1 && call.op.name == "make1" && call.count == 2) (*hang)();
  };
  auto session = open_session(backend, layered_plan({3, 2, 16}), options_with_limit(0.2));
  const std::string error = error_of([&] { session->run(10, false); });
  EXPECT_TRUE(contains(error, "rank 1 missing; expected every rank of the group within 0.2 s (rank 1 is in 'make1'"))
      << error;
  session.reset();
  hang->end();
}

TEST(EngineSession, ARankThatIsStuckAloneIsNamedByTheLauncher) {
  const auto hang = std::make_shared<Hang>();
  FakeBackend backend;
  backend.settings().on_run = [hang](const FakeCall& call) {
    if (call.op.name == "use0" && call.count == 1) (*hang)();
  };
  auto session = open_session(backend, layered_plan({1, 2, 16}), options_with_limit(0.1));
  EXPECT_EQ(error_of([&] { session->run(10, false); }),
            "rank 0: no progress in op 'use0'; expected an operation to end within 0.1 s");
  session.reset();
  EXPECT_FALSE(hang->returned());
  hang->end();
}

TEST(EngineSession, PlansThatItCannotRunAreRefusedBeforeAnythingIsAllocated) {
  FakeBackend backend(2);
  const auto refusal = [&](const std::function<void(StepPlan&)>& change) {
    StepPlan plan = layered_plan({2, 1, 16});
    change(plan);
    return error_of([&] { open_session(backend, plan, {}); });
  };
  EXPECT_EQ(error_of([&] {
              open_session(backend, layered_plan({3, 1, 16}), {});
            }),
            "plan: 3 ranks; expected at most 2 devices of 1 threads (fake)");
  EXPECT_TRUE(contains(refusal([](StepPlan& plan) { plan.classes[0].ops[0].executable = false; }),
                       "plan, op 'make0': bias_grad in float32, which no back end here executes"));
  EXPECT_TRUE(contains(refusal([](StepPlan& plan) { plan.classes[0].repeats = {{0, 1, 4}}; }), "a repeat region"));
  EXPECT_TRUE(
      contains(refusal([](StepPlan& plan) { plan.classes[0].ops[1].collective->executed_by = ExecutedBy::library; }),
               "a collective of a library"));
  EXPECT_TRUE(contains(refusal([](StepPlan& plan) {
                         plan.classes[0].ops[2].after.push_back({0, 0, 1});
                       }),
                       "micro-batch"));
  EXPECT_TRUE(
      contains(refusal([](StepPlan& plan) { plan.classes[0].ops[1].collective->algorithm = "rinq"; }), "'rinq'"));
  EXPECT_TRUE(contains(refusal([](StepPlan& plan) { plan.classes[0].ops[2].after[0].op = 99; }), "plan"));
  backend.settings().allocated_bytes = 0;
}

TEST(EngineSession, EntersEveryStreamThatHasOperationsAndTheComputeStream) {
  FakeBackend backend;
  std::mutex mutex;
  std::vector<std::pair<int, Stream>> entered;
  backend.settings().on_enter = [&](int device, Stream stream) {
    const std::lock_guard lock(mutex);
    entered.emplace_back(device, stream);
  };
  open_session(backend, layered_plan({1, 1, 16}), {});
  std::ranges::sort(entered);
  EXPECT_EQ(entered, (std::vector<std::pair<int, Stream>>{{0, Stream::compute}, {0, Stream::communication}}));
}

}  // namespace
}  // namespace dtbench
