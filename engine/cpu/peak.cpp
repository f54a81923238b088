#include "engine/cpu/peak.h"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cmath>
#include <cstring>
#include <ctime>
#include <functional>
#include <thread>

#include "engine/cpu/affinity.h"
#include "engine/cpu/loops/loops.h"
#include "topologies/base/error.h"

namespace dtbench {

namespace {

constexpr std::int64_t kMemoryArray = 256 << 20, kLeastMemoryArray = 16 << 20;  // all threads; one thread
constexpr std::int64_t kCacheArray = 64 << 10;  // three of them fit any second-level cache
// One window of measuring. What else uses a core (its other hardware thread, another virtual machine) comes and goes
// within milliseconds: the best of many short windows shows the machine, the best of few long ones the crowd. Still
// long against the microseconds that reading a thread's clock takes.
constexpr double kWindowSeconds = 1e-3;
constexpr int kFewestWindows = 7;

/// Does `rounds` rounds of work and returns how much was done.
using Work = std::function<double(std::int64_t rounds)>;

struct Windows {
  std::int64_t rounds = 1;  // of work in one window
  std::vector<std::atomic<double>> rates;
};

/// CPU time of this thread: time in which others had the core is not the machine's fault.
double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// So many windows as fill about `seconds`; one round a window where a round takes longer.
Windows calibrate(const Work& work, double seconds) {
  for (std::int64_t rounds = 1;; rounds *= 4) {
    const double start = thread_seconds();
    work(rounds);
    const double elapsed = thread_seconds() - start;
    if (elapsed < kWindowSeconds / 2) continue;
    const double round = elapsed / static_cast<double>(rounds), wanted = std::max(1.0, kWindowSeconds / round);
    const auto count = std::max(kFewestWindows, static_cast<int>(seconds / (std::floor(wanted) * round)));
    return {static_cast<std::int64_t>(wanted), std::vector<std::atomic<double>>(static_cast<std::size_t>(count))};
  }
}

/// Sum of the threads' rates, the best of the windows that they start together. `make_work` is called on each pinned
/// thread, so that memory is touched where it is used.
double best_rate(const std::vector<int>& cpus, double seconds, const std::function<Work()>& make_work) {
  std::barrier meeting(static_cast<std::ptrdiff_t>(cpus.size()));
  Windows windows;
  std::vector<std::jthread> threads;
  for (std::size_t t = 0; t < cpus.size(); ++t) {
    threads.emplace_back([&, t] {
      pin_this_thread({cpus[t]});
      const Work work = make_work();
      if (t == 0) windows = calibrate(work, seconds);
      meeting.arrive_and_wait();
      for (auto& rate : windows.rates) {
        meeting.arrive_and_wait();
        const double start = thread_seconds();
        const double done = work(windows.rounds);
        rate += done / (thread_seconds() - start);
      }
    });
  }
  threads.clear();
  return *std::ranges::max_element(windows.rates);
}

Work multiply_add_work() {
  return [](std::int64_t rounds) {
    float sink = 0;
    const double flops = loops().multiply_add(rounds * 100, &sink);
    return sink == 0 ? 0 : flops;  // never 0; keeps the compiler from dropping the work
  };
}

Work copy_work(std::int64_t bytes) {
  const auto size = static_cast<std::size_t>(bytes);
  return [from = std::vector<char>(size, 1), to = std::vector<char>(size, 2)](std::int64_t rounds) mutable {
    for (std::int64_t round = 0; round < rounds; ++round) {
      std::memcpy(to.data(), from.data(), to.size());
      asm volatile("" : : "r"(to.data()) : "memory");  // each round counts
    }
    return 2.0 * static_cast<double>(to.size()) * static_cast<double>(rounds);
  };
}

Work triad_work(std::int64_t bytes) {
  const auto count = static_cast<std::size_t>(bytes) / sizeof(float);
  return [a = std::vector<float>(count), b = std::vector<float>(count, 1),
          c = std::vector<float>(count, 2)](std::int64_t rounds) mutable {
    for (std::int64_t round = 0; round < rounds; ++round) {
      loops().triad(b.data(), c.data(), a.data(), static_cast<std::int64_t>(a.size()));
    }
    return 3.0 * sizeof(float) * static_cast<double>(a.size()) * static_cast<double>(rounds);
  };
}

}  // namespace

double measure_flops_per_second(const std::vector<int>& cpus, double seconds) {
  DTBENCH_CHECK(!cpus.empty());
  return best_rate(cpus, seconds, multiply_add_work);
}

MachinePeak measure_peak(const std::vector<int>& cpus, double seconds) {
  DTBENCH_CHECK(!cpus.empty());
  MachinePeak peak{.threads = static_cast<int>(cpus.size()), .isa = widest_isa()};
  const std::int64_t memory_array = std::max(kMemoryArray / peak.threads, kLeastMemoryArray);
  peak.memory_array_bytes = memory_array * peak.threads;
  peak.cache_array_bytes = kCacheArray;
  peak.flops_per_second = measure_flops_per_second(cpus, seconds);
  peak.memory_bytes_per_second = best_rate(cpus, seconds, [&] { return copy_work(memory_array); });
  peak.cache_bytes_per_second = best_rate(cpus, seconds, [] { return triad_work(kCacheArray); });
  return peak;
}

}  // namespace dtbench
