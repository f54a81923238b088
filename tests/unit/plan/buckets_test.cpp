#include "engine/plan/buckets.h"

#include <gtest/gtest.h>

namespace dtbench {
namespace {

// Parameters of 10, 20, 30 ... elements whose gradients are written in reverse order.
struct Gradients {
  RankClass cls;
  std::vector<TensorId> gradient_of;

  explicit Gradients(const std::vector<std::int64_t>& sizes) {
    const auto count = static_cast<TensorId>(sizes.size());
    for (const std::int64_t size : sizes) add("p", size, TensorRole::parameter);
    for (const std::int64_t size : sizes) add("g", size, TensorRole::gradient);
    for (TensorId t = 0; t < count; ++t) gradient_of.push_back(count + t);
    gradient_of.resize(cls.tensors.size(), kNoTensor);
    for (TensorId t = count - 1; t >= 0; --t) {
      PlanOp op;
      op.name = "write" + std::to_string(t);
      op.outputs = {count + t};
      cls.ops.push_back(op);
    }
  }

  void add(const char* name, std::int64_t size, TensorRole role) {
    cls.tensors.push_back({name + std::to_string(cls.tensors.size()), {size}, DType::float32, role, {}, {}, {}});
  }
  View view(TensorId tensor) const { return cls.tensors[static_cast<std::size_t>(tensor)].view.value(); }
  std::int64_t elements(TensorId tensor) const { return cls.tensors[static_cast<std::size_t>(tensor)].elements(); }
};

TEST(Buckets, FillInTheOrderOfTheBackwardPass) {
  Gradients net({10, 20, 30});
  const std::vector<Bucket> buckets = group_into_buckets(net.cls, net.gradient_of, 1000, 64);
  ASSERT_EQ(buckets.size(), 1u);
  // 30, then 20 from element 32, then 10 from element 64.
  EXPECT_EQ(net.view(5), (View{buckets[0].gradients, 0}));
  EXPECT_EQ(net.view(4), (View{buckets[0].gradients, 32}));
  EXPECT_EQ(net.view(3), (View{buckets[0].gradients, 64}));
  EXPECT_EQ(net.elements(buckets[0].gradients), 74);
  EXPECT_EQ(buckets[0].padding_elements, 2 + 12);
}

TEST(Buckets, LayOutParametersAndVelocityLikeGradients) {
  Gradients net({10, 20, 30});
  const std::vector<Bucket> buckets = group_into_buckets(net.cls, net.gradient_of, 200, 64);
  ASSERT_EQ(buckets.size(), 2u);
  for (TensorId t = 0; t < 3; ++t) EXPECT_EQ(net.view(t).first_element, net.view(t + 3).first_element);
  for (const Bucket& bucket : buckets) {
    EXPECT_EQ(net.elements(bucket.parameters), net.elements(bucket.gradients));
    EXPECT_EQ(net.elements(bucket.velocity), net.elements(bucket.gradients));
  }
}

TEST(Buckets, CloseBeforeTheyGrowOverTheirSize) {
  Gradients exact({16, 16});
  EXPECT_EQ(group_into_buckets(exact.cls, exact.gradient_of, 128, 64).size(), 1u);
  Gradients over({16, 16});
  EXPECT_EQ(group_into_buckets(over.cls, over.gradient_of, 127, 64).size(), 2u);
}

TEST(Buckets, GiveALargeGradientItsOwn) {
  Gradients net({8, 1000, 8});
  const std::vector<Bucket> buckets = group_into_buckets(net.cls, net.gradient_of, 100, 64);
  ASSERT_EQ(buckets.size(), 3u);
  EXPECT_EQ(net.elements(buckets[1].gradients), 1000);
  EXPECT_EQ(buckets[1].padding_elements, 0);
}

}  // namespace
}  // namespace dtbench
