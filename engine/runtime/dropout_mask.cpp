#include "engine/runtime/dropout_mask.h"

#include "engine/runtime/counter_random.h"

namespace dtbench {

DropoutKey dropout_key(std::uint64_t seed, std::int64_t step, std::int64_t example, std::uint64_t salt) {
  // A stream apart from those of inputs and parameters, which start from the same seed.
  constexpr std::uint64_t kDropout = 0x64726f706f7574;
  const std::uint64_t of_step = mix(mix(mix(seed, kDropout), salt), static_cast<std::uint64_t>(step));
  const std::uint64_t key = mix(of_step, static_cast<std::uint64_t>(example));
  return {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32)};
}

}  // namespace dtbench
