#include "engine/plan/dependencies.h"

#include <gtest/gtest.h>

#include "engine/plan/step_order.h"
#include "tests/unit/plan/hand_made_class.h"

namespace dtbench {
namespace {

using After = std::vector<Dependency>;

TEST(Dependencies, WaitForTheWriterOnAnotherStream) {
  HandMadeClass made;
  const TensorId t = made.tensor("t", 4);
  const OpId write = made.op("write", Stream::compute, {}, {t});
  const OpId send = made.op("send", Stream::communication, {t}, {});
  derive_dependencies(made.cls);
  EXPECT_EQ(made.cls.ops[1].after, (After{{write, 0, 0}}));
  EXPECT_EQ(made.cls.ops[0].after, (After{{send, 1, 0}})) << "the next step must not overwrite what is being sent";
}

TEST(Dependencies, AreNotWrittenWithinAStream) {
  HandMadeClass made;
  const TensorId t = made.tensor("t", 4);
  made.op("write", Stream::compute, {}, {t});
  made.op("read", Stream::compute, {t}, {});
  derive_dependencies(made.cls);
  EXPECT_TRUE(made.cls.ops[0].after.empty());
  EXPECT_TRUE(made.cls.ops[1].after.empty());
}

TEST(Dependencies, AreNotWrittenWhenAnotherImpliesThem) {
  HandMadeClass made;
  const TensorId a = made.tensor("a", 4), b = made.tensor("b", 4);
  made.op("write a", Stream::compute, {}, {a});
  const OpId write_b = made.op("write b", Stream::compute, {}, {b});
  made.op("send both", Stream::communication, {a, b}, {});
  made.op("send a", Stream::communication, {a}, {});
  derive_dependencies(made.cls);
  EXPECT_EQ(made.cls.ops[2].after, (After{{write_b, 0, 0}}));
  EXPECT_TRUE(made.cls.ops[3].after.empty());
}

// update waits for the collective, so the next step's writer, which comes after update, need not.
TEST(Dependencies, AreFollowedOverSteps) {
  HandMadeClass made;
  const TensorId gradient = made.tensor("gradient", 4);
  made.op("backward", Stream::compute, {}, {gradient});
  const OpId reduce = made.op("reduce", Stream::communication, {gradient}, {gradient});
  made.op("update", Stream::compute, {gradient}, {});
  derive_dependencies(made.cls);
  EXPECT_TRUE(made.cls.ops[0].after.empty());
  EXPECT_EQ(made.cls.ops[2].after, (After{{reduce, 0, 0}}));
}

TEST(Dependencies, OfTwoBuffersReachTwoStepsBack) {
  HandMadeClass made;
  const TensorId batch = made.tensor("batch", 4, TensorRole::input);
  const OpId input = made.op("input", Stream::host, {}, {batch});
  made.op("first", Stream::compute, {batch}, {});
  const OpId last = made.op("last", Stream::compute, {batch}, {});
  derive_dependencies(made.cls);
  EXPECT_EQ(made.cls.ops[0].after, (After{{last, 2, 0}}));
  EXPECT_EQ(made.cls.ops[1].after, (After{{input, 0, 0}}));
  EXPECT_TRUE(made.cls.ops[2].after.empty());
}

TEST(Dependencies, KnowThatViewsShareBytesOnlyWhereTheyMeet) {
  HandMadeClass made;
  const TensorId base = made.tensor("base", 8), left = made.tensor("left", 4), right = made.tensor("right", 4);
  made.cls.tensors[static_cast<std::size_t>(left)].view = View{base, 0};
  made.cls.tensors[static_cast<std::size_t>(right)].view = View{base, 4};
  const OpId write_left = made.op("write left", Stream::compute, {}, {left});
  made.op("write right", Stream::compute, {}, {right});
  made.op("send left", Stream::communication, {left}, {});
  derive_dependencies(made.cls);
  EXPECT_EQ(made.cls.ops[2].after, (After{{write_left, 0, 0}}));
}

TEST(StepOrder, KnowsWhatStreamsEnsure) {
  HandMadeClass made;
  const OpId a = made.op("a", Stream::compute, {}, {}), b = made.op("b", Stream::compute, {}, {});
  const OpId c = made.op("c", Stream::communication, {}, {});
  const StepOrder order(made.cls.ops);
  EXPECT_TRUE(order.finished_before(a, b, 0));
  EXPECT_FALSE(order.finished_before(b, a, 0));
  EXPECT_TRUE(order.finished_before(b, a, 1));
  EXPECT_FALSE(order.finished_before(a, a, 0));
  EXPECT_FALSE(order.finished_before(a, c, 3));
}

TEST(StepOrder, FollowsChainsOverStreamsAndSteps) {
  HandMadeClass made;
  const OpId a = made.op("a", Stream::compute, {}, {}), b = made.op("b", Stream::communication, {}, {});
  const OpId c = made.op("c", Stream::host, {}, {});
  made.cls.ops[static_cast<std::size_t>(b)].after = {{a, 2, 0}};
  made.cls.ops[static_cast<std::size_t>(c)].after = {{b, 1, 0}};
  const StepOrder order(made.cls.ops);
  EXPECT_TRUE(order.finished_before(a, c, 3));
  EXPECT_FALSE(order.finished_before(a, c, 2));
}

}  // namespace
}  // namespace dtbench
