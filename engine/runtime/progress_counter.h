// A count that one thread advances and others wait for: completed rounds of a collective's member, completed steps of
// an operation. Everything written before `advance` is seen by who waited for it.
//
// Under it lies one futex word per counter, so that a waiter can sleep with a deadline and `advance` costs one atomic
// addition when nobody sleeps. Counts wrap; differences stay below 2^30.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace dtbench {

enum class WaitOutcome { reached, timed_out, interrupted };

/// How a waiter passes the time: first looks at the counter again and again for `spin`, then lets other threads of its
/// core run between looks for `yield`, then sleeps until it is woken. The README of this folder tells which values won.
struct WaitPolicy {
  std::chrono::nanoseconds spin{0};
  std::chrono::nanoseconds yield{0};
};

using Deadline = std::chrono::steady_clock::time_point;

class alignas(64) ProgressCounter {
 public:
  std::uint32_t value() const { return word_.load(std::memory_order_acquire) >> 1; }
  bool reached(std::uint32_t target) const { return is_reached(word_.load(std::memory_order_acquire), target); }
  void advance();
  WaitOutcome wait(std::uint32_t target, const WaitPolicy& policy, Deadline deadline) const;
  /// Ends every present and later wait for a count that is not reached.
  void interrupt();

 private:
  static bool is_reached(std::uint32_t word, std::uint32_t target) {
    return static_cast<std::int32_t>((word & ~1u) - (target << 1)) >= 0;
  }
  bool look_until(std::uint32_t target, Deadline end, bool yielding) const;
  WaitOutcome sleep(std::uint32_t target, Deadline deadline) const;
  WaitOutcome outcome(std::uint32_t word, std::uint32_t target) const;
  void wake_sleepers() const;

  std::atomic<std::uint32_t> word_{0};  // count * 2 + interrupted
  mutable std::atomic<std::uint32_t> sleepers_{0};
};

}  // namespace dtbench
