#include "engine/runtime/arena.h"

#include <gtest/gtest.h>

#include "topologies/base/error.h"

namespace dtbench {
namespace {

// a: two buffers of 64 bytes from 0; b: one from 128; c: from element 3 on in a.
RankClass three_tensors() {
  RankClass rank_class;
  rank_class.tensors = {{"a", {4, 2}}, {"b", {2}, DType::float64}, {"c", {2}}};
  rank_class.tensors[2].view = View{0, 3};
  rank_class.memory.allocations = {{0, 0, 64, 2}, {1, 128, 64, 1}};
  rank_class.memory.arena_bytes = 192;
  return rank_class;
}

std::ptrdiff_t offset(const Buffer& buffer, const std::byte* base) {
  return static_cast<std::byte*>(buffer.data) - base;
}

TEST(Arena, UsesTheBuffersOfATensorInTurnAndFollowsViews) {
  const RankClass rank_class = three_tensors();
  std::vector<std::byte> memory(192);
  const Arena arena(rank_class, memory.data());
  EXPECT_EQ(offset(arena.buffer(0, 0), memory.data()), 0);
  EXPECT_EQ(offset(arena.buffer(0, 1), memory.data()), 64);
  EXPECT_EQ(offset(arena.buffer(0, 6), memory.data()), 0);
  EXPECT_EQ(offset(arena.buffer(1, 5), memory.data()), 128);
  EXPECT_EQ(offset(arena.buffer(2, 1), memory.data()), 64 + 12);
  EXPECT_EQ(arena.buffer(1, 0).dtype, DType::float64);
  EXPECT_EQ(arena.buffer(0, 0).shape, (Shape{4, 2}));
}

TEST(Arena, RepeatsItsAddressesAfterTheCommonPeriod) {
  RankClass rank_class = three_tensors();
  rank_class.memory.allocations[1].buffers = 3;
  const Arena arena(rank_class, nullptr);
  EXPECT_EQ(arena.period({}), 1);
  EXPECT_EQ(arena.period({1}), 3);
  EXPECT_EQ(arena.period({2, 1}), 6);
}

TEST(Arena, ConvertsValuesToDoublesAndBack) {
  for (const DType dtype : {DType::float32, DType::float64, DType::int32, DType::bfloat16, DType::float16}) {
    std::vector<std::byte> memory(64);
    const Buffer buffer{memory.data(), {3}, dtype};
    const std::vector<double> values = {-2, 0, 7};
    from_doubles(buffer, values);
    EXPECT_EQ(to_doubles(buffer), values) << name_of(dtype);
  }
}

}  // namespace
}  // namespace dtbench
