#include "engine/train/data/epoch_order.h"

#include <gtest/gtest.h>

#include <set>

namespace dtbench {
namespace {

std::vector<std::int64_t> order_of(EpochOrder& order, std::int64_t examples, std::int64_t epoch) {
  order.start_epoch(epoch);
  std::vector<std::int64_t> seen;
  for (std::int64_t i = 0; i < examples; ++i) seen.push_back(order.example(i));
  return seen;
}

TEST(EpochOrder, VisitsEachExampleOnce) {
  for (const std::int64_t examples : {1, 2, 7, 1000}) {
    EpochOrder order(examples, 3);
    const auto seen = order_of(order, examples, 0);
    EXPECT_EQ(std::set<std::int64_t>(seen.begin(), seen.end()).size(), static_cast<std::size_t>(examples));
  }
}

TEST(EpochOrder, DependsOnSeedAndEpochOnly) {
  EpochOrder a(100, 5), b(100, 5), c(100, 6);
  order_of(a, 100, 0);
  EXPECT_EQ(order_of(a, 100, 3), order_of(b, 100, 3));
  EXPECT_NE(order_of(b, 100, 3), order_of(b, 100, 4));
  EXPECT_NE(order_of(b, 100, 3), order_of(c, 100, 3));
}

}  // namespace
}  // namespace dtbench
