// Random numbers as a function of (seed, index): any order, any thread, same values.
#pragma once

#include <cstdint>
#include <string_view>

namespace dtbench {

/// Mixes two words into one; the finaliser of SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number
/// Generators, 2014).
std::uint64_t mix(std::uint64_t seed, std::uint64_t index);
/// FNV-1a, to key values by a name.
std::uint64_t hash_name(std::string_view name);
/// In (0, 1), from 64 random bits: the 53 highest, centred.
double uniform(std::uint64_t bits);
/// Standard normal (Box-Muller).
double normal(std::uint64_t seed, std::uint64_t index);

}  // namespace dtbench
