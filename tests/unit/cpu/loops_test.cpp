// Every level that this processor has, against plain code; the levels that it lacks are not tested here.
#include "engine/cpu/loops/loops.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace dtbench {
namespace {

class LoopsOfIsa : public ::testing::TestWithParam<Isa> {
 protected:
  void SetUp() override {
    if (!is_available(GetParam())) GTEST_SKIP() << "no " << name_of(GetParam()) << " here";
    loops_ = loops_of(GetParam());
  }
  const Loops* loops_ = nullptr;
};

std::vector<float> ramp(std::size_t count, float first, float step) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = first + step * static_cast<float>(i);
  return values;
}

TEST_P(LoopsOfIsa, ElementwiseLoopsGiveTheSameBitsAsTheBaseline) {
  const Loops& baseline = *loops_of(Isa::baseline);
  for (const std::size_t count : {0, 1, 3, 15, 16, 17, 64, 100, 1001}) {
    const auto n = static_cast<std::int64_t>(count);
    const auto a = ramp(count, -1.0F, 0.37F), b = ramp(count, 2.0F, -0.11F);
    auto p = a, q = a, v = b, w = b, y = a, z = a;
    loops_->sgd_momentum(p.data(), b.data(), v.data(), n, {0.9F, 0.01F});
    baseline.sgd_momentum(q.data(), b.data(), w.data(), n, {0.9F, 0.01F});
    EXPECT_EQ(p, q) << count;
    EXPECT_EQ(v, w) << count;
    loops_->float32.add(a.data(), b.data(), y.data(), n);
    baseline.float32.add(a.data(), b.data(), z.data(), n);
    EXPECT_EQ(y, z) << count;
    loops_->float32.relu(a.data(), y.data(), n);
    baseline.float32.relu(a.data(), z.data(), n);
    EXPECT_EQ(y, z) << count;
    loops_->float32.relu_grad(y.data(), b.data(), p.data(), n);
    baseline.float32.relu_grad(y.data(), b.data(), q.data(), n);
    EXPECT_EQ(p, q) << count;
  }
}

TEST_P(LoopsOfIsa, BiasGradientSumsAnyRangeOfColumnsInTheOrderOfTheRows) {
  const RowShape shape{37, 150};
  const auto dy = ramp(static_cast<std::size_t>(shape.rows * shape.columns), -3.0F, 0.0017F);
  std::vector<float> expected(150);
  for (std::size_t i = 0; i < dy.size(); ++i) expected[i % 150] += dy[i];
  for (const auto& [first, last] : {std::pair{0, 150}, {0, 64}, {64, 128}, {3, 4}, {10, 149}, {5, 5}}) {
    std::vector<float> db(150, -1.0F), wanted(150, -1.0F);
    std::copy(expected.begin() + first, expected.begin() + last, wanted.begin() + first);
    loops_->float32.bias_grad(dy.data(), db.data(), shape, first, last);
    EXPECT_EQ(db, wanted) << first << " to " << last;
  }
}

TEST_P(LoopsOfIsa, ExponentialsAreExactToFourUnitsInTheLastPlace) {
  constexpr std::int32_t kNone = -1;
  for (double x = -80; x <= 0; x += 0.0137) {
    // Two logits x apart: p of the lower one is e^x / (1 + e^x).
    const std::vector<float> logits = {0.0F, static_cast<float>(x)};
    std::vector<float> p(2);
    loops_->softmax_cross_entropy(logits.data(), &kNone, p.data(), {1, 2});
    const double e = std::exp(static_cast<double>(logits[1]));
    EXPECT_NEAR(p[1] / (e / (1 + e)), 1, 4 * 1.2e-7) << x;
  }
}

TEST_P(LoopsOfIsa, SoftmaxGivesTheSameBitsAsTheBaseline) {
  for (const std::int64_t columns : {1, 2, 10, 15, 16, 17, 31, 32, 100}) {
    const RowShape shape{3, columns};
    const auto logits = ramp(static_cast<std::size_t>(3 * columns), -2.0F, 0.173F);
    const std::vector<std::int32_t> labels(3, 0);
    std::vector<float> p(logits.size()), q(logits.size());
    EXPECT_EQ(loops_->softmax_cross_entropy(logits.data(), labels.data(), p.data(), shape),
              loops_of(Isa::baseline)->softmax_cross_entropy(logits.data(), labels.data(), q.data(), shape))
        << columns;
    EXPECT_EQ(p, q) << columns;
  }
}

TEST_P(LoopsOfIsa, SoftmaxStandsLargeLogitsAndShowsNotANumber) {
  const std::vector<std::int32_t> labels = {1, 0};
  const std::vector<float> logits = {1e4F, -1e4F, 3e38F, 3e38F};
  std::vector<float> p(4);
  EXPECT_NEAR(loops_->softmax_cross_entropy(logits.data(), labels.data(), p.data(), {2, 2}), 2e4 + std::log(2.0), 1e-3);
  EXPECT_THAT(p, ::testing::ElementsAre(1, ::testing::FloatNear(0, 1e-37F), 0.5F, 0.5F));
  const std::vector<float> broken = {1, std::nanf("")};
  EXPECT_TRUE(std::isnan(loops_->softmax_cross_entropy(broken.data(), labels.data(), p.data(), {1, 2})));
}

TEST_P(LoopsOfIsa, SoftmaxLeavesLabelsOutsideTheRowAlone) {
  const std::vector<std::int32_t> labels = {-1, 2};
  const std::vector<float> logits = {1, 2, 3, 4};
  std::vector<float> p(4), gradient(4);
  EXPECT_EQ(loops_->softmax_cross_entropy(logits.data(), labels.data(), p.data(), {2, 2}), 0);
  loops_->softmax_cross_entropy_grad(p.data(), labels.data(), gradient.data(), {2, 2}, 0.5F);
  for (std::size_t i = 0; i < p.size(); ++i) EXPECT_EQ(gradient[i], 0.5F * p[i]);
}

TEST_P(LoopsOfIsa, MultiplyAddCountsWholeChains) {
  float sink = 0;
  const double one = loops_->multiply_add(1, &sink);
  EXPECT_GT(one, 0);
  EXPECT_EQ(loops_->multiply_add(10, &sink), 10 * one);
  EXPECT_GT(sink, 0);
}

INSTANTIATE_TEST_SUITE_P(EveryLevel, LoopsOfIsa, ::testing::ValuesIn(kIsas), [](const auto& test) {
  std::string name(name_of(test.param));
  std::erase(name, '.');
  return name;
});

}  // namespace
}  // namespace dtbench
