// Sums along a row, in one order for every level: one sum a lane, then the lanes by halves.
#pragma once

#include <cstdint>

namespace dtbench::DTBENCH_ISA {

inline constexpr std::int64_t kLanes = 64;

struct Lanes {
  float value[kLanes];

  [[gnu::always_inline]] explicit Lanes(float start = 0) {
    for (std::int64_t j = 0; j < kLanes; ++j) value[j] = start;
  }

  /// In registers: halves that go through memory would wait for their stores.
  template <class Combine>
  [[gnu::always_inline]] float reduce(const Combine& combine) const {
    Block block = combine(combine(part(0), part(1)), combine(part(2), part(3)));
    block = combine(block, __builtin_shuffle(block, Order{8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7}));
    block = combine(block, __builtin_shuffle(block, Order{4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11}));
    block = combine(block, __builtin_shuffle(block, Order{2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13}));
    block = combine(block, __builtin_shuffle(block, Order{1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14}));
    return block[0];
  }
  [[gnu::always_inline]] float sum() const {
    return reduce([](const Block& a, const Block& b) __attribute__((always_inline)) { return a + b; });
  }
  [[gnu::always_inline]] float largest() const {
    return reduce([](const Block& a, const Block& b) __attribute__((always_inline)) { return a > b ? a : b; });
  }

 private:
  static constexpr std::int64_t kBlock = 16;
  typedef float Block __attribute__((vector_size(kBlock * sizeof(float))));
  typedef std::int32_t Order __attribute__((vector_size(kBlock * sizeof(std::int32_t))));

  [[gnu::always_inline]] Block part(std::int64_t i) const {
    Block block;
    __builtin_memcpy(&block, value + i * kBlock, sizeof block);
    return block;
  }
};

/// Calls body(j, lane) for every column, a whole set of lanes at a time.
template <class Body>
[[gnu::always_inline]] inline void for_lanes(std::int64_t columns, const Body& body) {
  std::int64_t first = 0;
  for (; first + kLanes <= columns; first += kLanes)
    for (std::int64_t lane = 0; lane < kLanes; ++lane) body(first + lane, lane);
  for (std::int64_t lane = 0; lane < columns - first; ++lane) body(first + lane, lane);
}

}  // namespace dtbench::DTBENCH_ISA
