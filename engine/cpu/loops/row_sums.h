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

  template <class Combine>
  [[gnu::always_inline]] float reduce(const Combine& combine) {
    for (std::int64_t half = kLanes / 2; half > 0; half /= 2)
      for (std::int64_t j = 0; j < half; ++j) value[j] = combine(value[j], value[j + half]);
    return value[0];
  }
  [[gnu::always_inline]] float sum() {
    return reduce([](float a, float b) __attribute__((always_inline)) { return a + b; });
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
