#include "engine/plan/memory.h"

#include <gtest/gtest.h>

#include "engine/plan/dependencies.h"
#include "tests/unit/plan/expect_error.h"
#include "tests/unit/plan/hand_made_class.h"

namespace dtbench {
namespace {

const Allocation& place_of(const RankClass& cls, TensorId tensor) {
  for (const Allocation& place : cls.memory.allocations)
    if (place.tensor == tensor) return place;
  ADD_FAILURE() << "no memory for tensor " << tensor;
  return cls.memory.allocations.front();
}

bool overlap(const Allocation& a, const Allocation& b) {
  return a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
}

void settle(RankClass& cls) {
  derive_dependencies(cls);
  plan_memory(cls, {});
}

TEST(Memory, ReusesWhatIsNoLongerRead) {
  HandMadeClass made;
  const TensorId a = made.tensor("a", 100), b = made.tensor("b", 100), c = made.tensor("c", 100);
  made.op("1", Stream::compute, {}, {a});
  made.op("2", Stream::compute, {a}, {b});
  made.op("3", Stream::compute, {b}, {c});
  made.op("4", Stream::compute, {c}, {});
  settle(made.cls);
  EXPECT_TRUE(overlap(place_of(made.cls, a), place_of(made.cls, c)));
  EXPECT_FALSE(overlap(place_of(made.cls, a), place_of(made.cls, b)));
  EXPECT_FALSE(overlap(place_of(made.cls, b), place_of(made.cls, c)));
  EXPECT_EQ(made.cls.memory.arena_bytes, 2 * 448);
  EXPECT_EQ(made.cls.memory.use.activations, 2 * 448);
}

// While another stream may still read `a`, nobody writes there.
TEST(Memory, KeepsWhatAnotherStreamMayStillRead) {
  HandMadeClass made;
  const TensorId a = made.tensor("a", 16), b = made.tensor("b", 16), c = made.tensor("c", 16);
  made.op("write a", Stream::compute, {}, {a});
  made.op("send a", Stream::communication, {a}, {});
  made.op("write b", Stream::compute, {}, {b});
  made.op("send b", Stream::communication, {b}, {});
  made.op("write c", Stream::compute, {}, {c});
  settle(made.cls);
  EXPECT_FALSE(overlap(place_of(made.cls, a), place_of(made.cls, b)));
  EXPECT_FALSE(overlap(place_of(made.cls, b), place_of(made.cls, c)));
}

TEST(Memory, ReusesAfterSomethingWaitedForTheOtherStream) {
  HandMadeClass made;
  const TensorId a = made.tensor("a", 16), done = made.tensor("done", 16), b = made.tensor("b", 16);
  made.op("write a", Stream::compute, {}, {a});
  made.op("send a", Stream::communication, {a}, {done});
  made.op("wait", Stream::compute, {done}, {});
  made.op("write b", Stream::compute, {}, {b});
  settle(made.cls);
  EXPECT_TRUE(overlap(place_of(made.cls, a), place_of(made.cls, b)));
  EXPECT_EQ(made.cls.memory.arena_bytes, 128);
}

TEST(Memory, NeverReusesWhatLivesFromStepToStep) {
  HandMadeClass made;
  const TensorId weight = made.tensor("w", 3, TensorRole::parameter),
                 gradient = made.tensor("g", 3, TensorRole::gradient);
  const TensorId velocity = made.tensor("v", 3, TensorRole::optimizer_state),
                 loss = made.tensor("l", 1, TensorRole::loss);
  made.op("backward", Stream::compute, {weight}, {gradient, loss});
  made.op("update", Stream::compute, {weight, gradient, velocity}, {weight, velocity});
  BackendTraits traits;
  traits.workspace_bytes = 1000;
  derive_dependencies(made.cls);
  plan_memory(made.cls, traits);
  EXPECT_EQ(made.cls.memory.use, (MemoryUse{64, 64, 64, 64, 1000, 1256}));
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_FALSE(overlap(made.cls.memory.allocations[i], made.cls.memory.allocations[j]));
  EXPECT_EQ(place_of(made.cls, loss).bytes, 64);
}

TEST(Memory, HoldsTwoBatchesWhenTheNextIsPrefetched) {
  HandMadeClass made;
  const TensorId batch = made.tensor("batch", 20, TensorRole::input);
  made.op("input", Stream::host, {}, {batch});
  made.op("read", Stream::compute, {batch}, {});
  settle(made.cls);
  EXPECT_EQ(place_of(made.cls, batch), (Allocation{batch, 0, 128, 2}));
  EXPECT_EQ(made.cls.memory.arena_bytes, 256);
}

TEST(Memory, AlignsEveryTensor) {
  HandMadeClass made;
  for (int i = 0; i < 9; ++i) made.op(std::to_string(i), Stream::compute, {}, {made.tensor("t", 1 + 7 * i)});
  BackendTraits traits;
  traits.alignment_bytes = 256;
  derive_dependencies(made.cls);
  plan_memory(made.cls, traits);
  for (const Allocation& place : made.cls.memory.allocations) EXPECT_EQ(place.offset % 256, 0);
}

TEST(Memory, RefusesToOverflow) {
  HandMadeClass made;
  for (int i = 0; i < 100; ++i) made.tensor("t" + std::to_string(i), std::int64_t{1} << 54, TensorRole::parameter);
  EXPECT_EQ(bad_input_of([&] { plan_memory(made.cls, {}); }).where, "memory of one rank");
}

}  // namespace
}  // namespace dtbench
