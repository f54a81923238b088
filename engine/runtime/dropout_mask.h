// Which elements dropout keeps, as a function of (seed, step, global example, salt, element): any order, any thread, any
// number of replicas, in the forward pass and again in the backward pass.
//
// The first four are mixed into a key of 64 bits once for each example (counter_random.h); the element is hashed under
// the key by two rounds of 32-bit multiplications, which vectorise: a block cipher's worth of mixing is not needed, but
// neighbouring elements, steps, examples and layers must not resemble each other (tested).
//
// Always inlined and free of any library, since files compiled for one instruction set level include this header (see
// low_precision.h).
#pragma once

#include <cstdint>

namespace dtbench {

struct DropoutKey {
  std::uint32_t low = 0, high = 0;
};

/// Random bits of one element; elements 2^32 apart have the same.
[[gnu::always_inline]] inline std::uint32_t dropout_bits(DropoutKey key, std::uint32_t element) {
  // Rounds of multiplication and shift whose constants were found by measuring their bias (Wellons, hash-prospector,
  // "lowbias32", 2018).
  std::uint32_t x = element ^ key.low;
  x = (x ^ (x >> 16)) * 0x7feb352dU;
  x = (x ^ (x >> 15)) * 0x846ca68bU;
  x ^= (x >> 16) ^ key.high;
  x = (x ^ (x >> 16)) * 0x7feb352dU;
  x = (x ^ (x >> 15)) * 0x846ca68bU;
  return x ^ (x >> 16);
}

/// An element is dropped when its bits are smaller.
constexpr std::uint32_t dropout_threshold(double rate) { return static_cast<std::uint32_t>(rate * 0x1p32); }

/// Of one example of one step in one layer (`salt`).
DropoutKey dropout_key(std::uint64_t seed, std::int64_t step, std::int64_t example, std::uint64_t salt);

}  // namespace dtbench
