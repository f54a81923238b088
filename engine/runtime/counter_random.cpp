#include "engine/runtime/counter_random.h"

#include <cmath>
#include <numbers>

namespace dtbench {

double uniform(std::uint64_t bits) { return (static_cast<double>(bits >> 11) + 0.5) * 0x1p-53; }

std::uint64_t mix(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

std::uint64_t hash_name(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

double normal(std::uint64_t seed, std::uint64_t index) {
  const double radius = std::sqrt(-2 * std::log(uniform(mix(seed, 2 * index))));
  return radius * std::cos(2 * std::numbers::pi * uniform(mix(seed, 2 * index + 1)));
}

}  // namespace dtbench
