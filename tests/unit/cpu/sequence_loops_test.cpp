// The loops of operations on sequences: every level that this processor has against the baseline, the baseline against
// the standard library in double.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "engine/cpu/loops/loops.h"

namespace dtbench {
namespace {

template <class T>
std::vector<T> ramp(std::size_t count, float first, float step) {
  std::vector<T> values;
  for (std::size_t i = 0; i < count; ++i) values.emplace_back(first + step * static_cast<float>(i));
  return values;
}

template <class T>
std::vector<float> floats(const std::vector<T>& values) {
  return {values.begin(), values.end()};
}

class SequenceLoops : public ::testing::TestWithParam<Isa> {
 protected:
  void SetUp() override {
    if (!is_available(GetParam())) GTEST_SKIP() << "no " << name_of(GetParam()) << " here";
  }

  /// Runs `use(loops, output)` at this level and at the baseline, and compares the bits of the outputs.
  template <class T, class Use>
  void expect_bits_of_baseline(std::size_t count, const Use& use) {
    std::vector<T> found(count, T(-7.0F)), expected = found;
    use(loops_of(GetParam())->of<T>(), found);
    use(loops_of(Isa::baseline)->of<T>(), expected);
    EXPECT_EQ(floats(found), floats(expected)) << count;
  }

  template <class T>
  void check_elementwise() {
    for (const std::size_t count : {1, 15, 16, 17, 64, 100, 1001}) {
      const auto n = static_cast<std::int64_t>(count);
      const auto x = ramp<T>(count, -3.0F, 0.0137F), dy = ramp<T>(count, 2.0F, -0.11F);
      using Loop = const StorageLoops<T>&;
      const auto check = [&](const auto& use) { expect_bits_of_baseline<T>(count, use); };
      check([&](Loop loops, auto& y) { loops.gelu(x.data(), y.data(), n); });
      check([&](Loop loops, auto& y) { loops.gelu_grad(dy.data(), x.data(), y.data(), n); });
      check([&](Loop loops, auto& y) { loops.gelu_tanh(x.data(), y.data(), n); });
      check([&](Loop loops, auto& y) { loops.gelu_tanh_grad(dy.data(), x.data(), y.data(), n); });
      check([&](Loop loops, auto& y) { loops.tanh(x.data(), y.data(), n); });
      check([&](Loop loops, auto& y) { loops.tanh_grad(dy.data(), x.data(), y.data(), n); });
      const DropoutMask mask = {dropout_key(1, 2, 3, 4), 5, dropout_threshold(0.3), 1 / 0.7F};
      check([&](Loop loops, auto& y) { loops.dropout(x.data(), y.data(), n, mask); });
    }
  }

  template <class T>
  void check_rows() {
    for (const std::size_t columns : {1, 5, 63, 64, 65, 200}) {
      const auto width = static_cast<std::int64_t>(columns);
      const RowShape shape{3, width};
      const auto x = ramp<T>(3 * columns, -3.0F, 0.0137F), dy = ramp<T>(3 * columns, 2.0F, -0.011F);
      const auto gamma = ramp<float>(columns, 0.5F, 0.01F), beta = ramp<float>(columns, -1.0F, 0.1F);
      std::vector<float> mean(3), inverse(3), dgamma(columns), dbeta(columns);
      using Loop = const StorageLoops<T>&;
      const auto check = [&](const auto& use) { expect_bits_of_baseline<T>(3 * columns, use); };
      check([&](Loop loops, auto& y) {
        loops.layer_norm({x.data(), gamma.data(), beta.data(), y.data(), mean.data(), inverse.data()}, shape, 1e-5F);
      });
      check([&](Loop loops, auto& dx) {
        loops.layer_norm_grad(
            {dy.data(), x.data(), gamma.data(), mean.data(), inverse.data(), dx.data(), dgamma.data(), dbeta.data()},
            shape);
      });
      const auto scores = ramp<float>(3 * columns, -5.0F, 0.031F);
      const AttentionRows rows = {0, 3, width, 0.25F, width >= 3};
      check([&](Loop loops, auto& p) {
        auto overwritten = scores;
        loops.attention_softmax(overwritten.data(), p.data(), rows);
      });
      check([&](Loop loops, auto& ds) { loops.attention_softmax_grad(x.data(), scores.data(), ds.data(), rows); });
      const std::vector<std::int32_t> chosen = {2, 0, 2};
      check([&](Loop loops, auto& sum) { loops.sum_rows(x.data(), chosen.data(), 3, sum.data(), width); });
    }
  }
};

TEST_P(SequenceLoops, GiveTheSameBitsAsTheBaseline) {
  check_elementwise<float>();
  check_elementwise<Bfloat16>();
  check_elementwise<Float16>();
  check_rows<float>();
  check_rows<Bfloat16>();
  check_rows<Float16>();
}

// Relative to the larger of the result and 2e-7 of the input: the far tail of the distribution function is less exact.
TEST_P(SequenceLoops, ActivationsAreExactToAFewUnitsInTheLastPlace) {
  const auto& loops = loops_of(GetParam())->float32;
  const auto x = ramp<float>(4001, -10.0F, 0.005F);
  const std::vector<float> one(x.size(), 1.0F);
  const auto n = static_cast<std::int64_t>(x.size());
  std::vector<float> gelu(x.size()), gelu_grad(x.size()), form(x.size()), form_grad(x.size()), tanh(x.size());
  loops.gelu(x.data(), gelu.data(), n);
  loops.gelu_grad(one.data(), x.data(), gelu_grad.data(), n);
  loops.gelu_tanh(x.data(), form.data(), n);
  loops.gelu_tanh_grad(one.data(), x.data(), form_grad.data(), n);
  loops.tanh(x.data(), tanh.data(), n);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double v = x[i], below = std::erfc(-v / std::numbers::sqrt2) / 2;
    const double density = std::exp(-v * v / 2) / std::sqrt(2 * std::numbers::pi);
    EXPECT_NEAR(gelu[i], v * below, 4e-7 * std::abs(v) * std::max(1.0, below)) << v;
    EXPECT_NEAR(gelu_grad[i], below + v * density, 1e-6) << v;
    const double factor = std::sqrt(2 / std::numbers::pi), t = std::tanh(factor * (v + 0.044715 * v * v * v));
    EXPECT_NEAR(form[i], v / 2 * (1 + t), 4e-7 * std::abs(v)) << v;
    EXPECT_NEAR(form_grad[i], (1 + t) / 2 + v / 2 * (1 - t * t) * factor * (1 + 3 * 0.044715 * v * v), 2e-6) << v;
    EXPECT_NEAR(tanh[i], std::tanh(v), 4e-7 * std::abs(std::tanh(v)) + 1e-30) << v;
  }
}

TEST_P(SequenceLoops, ShowNotANumber) {
  const auto& loops = loops_of(GetParam())->float32;
  const std::vector<float> x(20, std::nanf(""));
  std::vector<float> y(20);
  for (const auto loop : {loops.gelu, loops.gelu_tanh, loops.tanh}) {
    loop(x.data(), y.data(), 20);
    for (const float value : y) EXPECT_TRUE(std::isnan(value));
  }
  auto scores = x;
  loops.attention_softmax(scores.data(), y.data(), {0, 1, 20, 1.0F, false});
  for (const float value : y) EXPECT_TRUE(std::isnan(value));
}

// Row i sees i + 1 positions of equal score.
TEST_P(SequenceLoops, CausalRowsLookAtWhatWasBefore) {
  std::vector<float> scores(9, 1e4F), p(9, -1.0F);
  loops_of(GetParam())->float32.attention_softmax(scores.data(), p.data(), {0, 3, 3, 1.0F, true});
  const std::vector<float> expected = {1, 0, 0, 0.5F, 0.5F, 0, 1 / 3.0F, 1 / 3.0F, 1 / 3.0F};
  for (std::size_t i = 0; i < p.size(); ++i) EXPECT_FLOAT_EQ(p[i], expected[i]) << i;
}

INSTANTIATE_TEST_SUITE_P(EveryLevel, SequenceLoops, ::testing::ValuesIn(kIsas), [](const auto& test) {
  std::string name(name_of(test.param));
  std::erase(name, '.');
  return name;
});

}  // namespace
}  // namespace dtbench
