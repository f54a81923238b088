#include "engine/runtime/dropout_mask.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace dtbench {
namespace {

constexpr std::uint32_t kMaskElements = 1 << 16;

bool kept(DropoutKey key, std::uint32_t element, double rate) {
  return dropout_bits(key, element) >= dropout_threshold(rate);
}

/// Share of elements where both masks keep or both drop.
double likeness(const std::function<bool(std::uint32_t)>& a, const std::function<bool(std::uint32_t)>& b) {
  int alike = 0;
  for (std::uint32_t i = 0; i < kMaskElements; ++i) alike += a(i) == b(i) ? 1 : 0;
  return alike / static_cast<double>(kMaskElements);
}

// Five standard deviations of a share over 65,536 independent elements.
constexpr double kFiveDeviations = 5 * 0.5 / 256;

TEST(DropoutMask, DropsTheShareThatWasAskedFor) {
  for (const double rate : {0.001, 0.1, 0.5, 0.9}) {
    for (std::uint64_t salt = 0; salt < 20; ++salt) {
      const DropoutKey key = dropout_key(1, 7, 3, salt);
      int dropped = 0;
      for (std::uint32_t i = 0; i < kMaskElements; ++i) dropped += kept(key, i, rate) ? 0 : 1;
      EXPECT_NEAR(dropped / static_cast<double>(kMaskElements), rate, 5 * std::sqrt(rate * (1 - rate)) / 256)
          << rate << " salt " << salt;
    }
  }
}

TEST(DropoutMask, ResemblesNoNeighbour) {
  const auto mask = [](std::uint64_t seed, std::int64_t step, std::int64_t example, std::uint64_t salt) {
    return [key = dropout_key(seed, step, example, salt)](std::uint32_t i) { return kept(key, i, 0.5); };
  };
  const auto one = mask(1, 10, 100, 5);
  for (const auto& other : {mask(2, 10, 100, 5), mask(1, 11, 100, 5), mask(1, 10, 101, 5), mask(1, 10, 100, 6),
                            mask(1, 100, 10, 5), mask(1, 5, 100, 10)})
    EXPECT_NEAR(likeness(one, other), 0.5, kFiveDeviations);
  for (const std::uint32_t lag : {1U, 2U, 3U, 16U, 64U, 768U, 1024U, 4096U})
    EXPECT_NEAR(likeness(one, [&](std::uint32_t i) { return one(i + lag); }), 0.5, kFiveDeviations) << "lag " << lag;
}

// Each bit of the element flips each bit of the result half of the time.
TEST(DropoutMask, MixesEveryBitOfTheElement) {
  for (int in = 0; in < 32; ++in) {
    int flips[32] = {};
    constexpr int kTrials = 2048;
    for (int trial = 0; trial < kTrials; ++trial) {
      const DropoutKey key = dropout_key(3, trial, 0, 0);
      const auto element = static_cast<std::uint32_t>(trial) * 2654435761U;
      const std::uint32_t change = dropout_bits(key, element) ^ dropout_bits(key, element ^ (1U << in));
      for (int out = 0; out < 32; ++out) flips[out] += static_cast<int>((change >> out) & 1U);
    }
    for (const int count : flips) EXPECT_NEAR(count, kTrials / 2, 6 * std::sqrt(kTrials) / 2) << "bit " << in;
  }
}

TEST(DropoutMask, IsTheSameEachTime) {
  const DropoutKey key = dropout_key(1, 2, 3, 4), again = dropout_key(1, 2, 3, 4);
  EXPECT_EQ(dropout_bits(key, 5), dropout_bits(again, 5));
}

}  // namespace
}  // namespace dtbench
