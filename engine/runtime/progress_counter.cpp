#include "engine/runtime/progress_counter.h"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <ctime>

namespace dtbench {
namespace {

using Clock = std::chrono::steady_clock;
static_assert(sizeof(std::atomic<std::uint32_t>) == sizeof(std::uint32_t), "a futex is a plain 32-bit word");

constexpr int kLooksPerClockReading = 16;

void pause_briefly() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

timespec as_timespec(Deadline deadline) {
  const auto since_boot = deadline.time_since_epoch();
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(since_boot);
  const auto rest = std::chrono::duration_cast<std::chrono::nanoseconds>(since_boot - seconds);
  return {static_cast<std::time_t>(seconds.count()), static_cast<long>(rest.count())};
}

// Sleeps while the word holds `seen`, at the longest to `deadline` (CLOCK_MONOTONIC, which steady_clock is).
void futex_wait(const std::atomic<std::uint32_t>& word, std::uint32_t seen, Deadline deadline) {
  const timespec until = as_timespec(deadline);
  syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, seen, deadline == Deadline::max() ? nullptr : &until, nullptr,
          FUTEX_BITSET_MATCH_ANY);
}

}  // namespace

void ProgressCounter::advance() {
  word_.fetch_add(2, std::memory_order_seq_cst);
  wake_sleepers();
}

void ProgressCounter::interrupt() {
  word_.fetch_or(1, std::memory_order_seq_cst);
  wake_sleepers();
}

// The word changes before `sleepers_` is read, and a sleeper counts itself before it reads the word: with sequential
// consistency one of the two sees the other, so no wake-up is lost.
void ProgressCounter::wake_sleepers() const {
  if (sleepers_.load(std::memory_order_seq_cst) == 0) return;
  syscall(SYS_futex, &word_, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
}

WaitOutcome ProgressCounter::outcome(std::uint32_t word, std::uint32_t target) const {
  return is_reached(word, target) ? WaitOutcome::reached : WaitOutcome::interrupted;
}

WaitOutcome ProgressCounter::wait(std::uint32_t target, const WaitPolicy& policy, Deadline deadline) const {
  if (reached(target)) return WaitOutcome::reached;
  const auto now = Clock::now();
  const auto spin_end = now + policy.spin;
  if (look_until(target, spin_end, false) || look_until(target, spin_end + policy.yield, true))
    return outcome(word_.load(std::memory_order_acquire), target);
  return sleep(target, deadline);
}

bool ProgressCounter::look_until(std::uint32_t target, Deadline end, bool yielding) const {
  while (Clock::now() < end) {
    for (int look = 0; look < (yielding ? 1 : kLooksPerClockReading); ++look) {
      const std::uint32_t word = word_.load(std::memory_order_acquire);
      if (is_reached(word, target) || (word & 1u)) return true;
      if (!yielding) pause_briefly();
    }
    if (yielding) sched_yield();
  }
  return false;
}

WaitOutcome ProgressCounter::sleep(std::uint32_t target, Deadline deadline) const {
  sleepers_.fetch_add(1, std::memory_order_seq_cst);
  std::uint32_t word = word_.load(std::memory_order_seq_cst);
  bool late = false;
  while (!is_reached(word, target) && !(word & 1u) && !late) {
    futex_wait(word_, word, deadline);
    late = deadline != Deadline::max() && Clock::now() >= deadline;
    word = word_.load(std::memory_order_seq_cst);
  }
  sleepers_.fetch_sub(1, std::memory_order_relaxed);
  if (late && !is_reached(word, target) && !(word & 1u)) return WaitOutcome::timed_out;
  return outcome(word, target);
}

}  // namespace dtbench
