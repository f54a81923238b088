// What this machine can do at most, measured now: the yardstick for "fraction of peak".
#pragma once

#include <cstdint>
#include <vector>

#include "engine/cpu/isa.h"

namespace dtbench {

/// Rates of all threads together by their CPU time (so that other programs disturb less), the best of many windows of
/// about a millisecond.
struct MachinePeak {
  int threads = 1;
  Isa isa = Isa::baseline;
  /// float32, independent chains of fused multiply-adds (two operations each) in the widest registers.
  double flops_per_second = 0;
  /// memcpy between arrays of `memory_array_bytes` (all threads together): bytes read plus bytes written. Machines with
  /// a larger last-level cache serve part of it from there.
  double memory_bytes_per_second = 0;
  std::int64_t memory_array_bytes = 0;
  /// a = b + 3 c over three arrays of `cache_array_bytes` a thread: bytes read plus bytes written.
  double cache_bytes_per_second = 0;
  std::int64_t cache_array_bytes = 0;
};

/// One pinned thread per logical CPU given; the calling thread stays where it is. Takes about `seconds` for each of the
/// three rates, and up to as long again to touch the memory.
MachinePeak measure_peak(const std::vector<int>& cpus, double seconds = 0.2);

/// The first of the rates alone; touches no memory.
double measure_flops_per_second(const std::vector<int>& cpus, double seconds = 0.2);

}  // namespace dtbench
