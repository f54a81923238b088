#include "engine/cpu/affinity.h"

#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <memory>

namespace dtbench {

namespace {

/// A CPU mask of any size; `cpu_set_t` alone ends at 1,024.
class CpuMask {
 public:
  explicit CpuMask(int cpus) : set_(CPU_ALLOC(cpus)), bytes_(CPU_ALLOC_SIZE(cpus)) { CPU_ZERO_S(bytes_, set_.get()); }
  cpu_set_t* get() const { return set_.get(); }
  std::size_t bytes() const { return bytes_; }

 private:
  struct Free {
    void operator()(cpu_set_t* set) const { CPU_FREE(set); }
  };
  std::unique_ptr<cpu_set_t, Free> set_;
  std::size_t bytes_;
};

}  // namespace

bool pin_this_thread(const std::vector<int>& cpus) {
  if (cpus.empty()) return false;
  const CpuMask mask(std::ranges::max(cpus) + 1);
  for (const int cpu : cpus) CPU_SET_S(static_cast<std::size_t>(cpu), mask.bytes(), mask.get());
  return sched_setaffinity(0, mask.bytes(), mask.get()) == 0;
}

std::vector<int> cpus_of_this_thread() {
  for (int size = CPU_SETSIZE;; size *= 2) {
    const CpuMask mask(size);
    if (sched_getaffinity(0, mask.bytes(), mask.get()) != 0) {
      if (errno == EINVAL && size < (1 << 24)) continue;  // the kernel's mask is longer
      return {};
    }
    std::vector<int> cpus;
    for (int cpu = 0; cpu < size; ++cpu) {
      if (CPU_ISSET_S(static_cast<std::size_t>(cpu), mask.bytes(), mask.get())) cpus.push_back(cpu);
    }
    return cpus;
  }
}

}  // namespace dtbench
