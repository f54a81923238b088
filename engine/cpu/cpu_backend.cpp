#include "engine/cpu/cpu_backend.h"

#include <fmt/format.h>

#include "engine/cpu/cpu_device.h"
#include "engine/cpu/host_probe.h"
#include "engine/runtime/shared_memory_communicator.h"
#include "topologies/base/error.h"

namespace dtbench {

namespace {

class CpuBackend : public Backend {
 public:
  explicit CpuBackend(std::vector<int> core_cpus) : core_cpus_(std::move(core_cpus)) {}

  BackendTraits traits() const override { return {.name = "cpu", .alignment_bytes = 64}; }

  int device_count(int threads_per_device) const override {
    return threads_per_device < 1 ? 0 : static_cast<int>(core_cpus_.size()) / threads_per_device;
  }

  std::unique_ptr<Device> open_device(int index, int threads_per_device) const override {
    const int devices = device_count(threads_per_device);
    if (index < 0 || index >= devices) {
      throw_bad_input(
          {.where = "CPU device",
           .found = fmt::format("number {} with {} threads each", index, threads_per_device),
           .expected = fmt::format("0 to {} on the {} cores of this process", devices - 1, core_cpus_.size())});
    }
    const auto first = core_cpus_.begin() + static_cast<std::ptrdiff_t>(index) * threads_per_device;
    return std::make_unique<CpuDevice>(CoreTeam({first, first + threads_per_device}));
  }

  std::unique_ptr<Communicator> make_communicator(int members, double wait_limit_seconds) const override {
    return std::make_unique<SharedMemoryCommunicator>(members, wait_limit_seconds);
  }

 private:
  std::vector<int> core_cpus_;  ///< one logical CPU a core, neighbours side by side
};

}  // namespace

std::unique_ptr<Backend> make_cpu_backend() {
  return std::make_unique<CpuBackend>(make_host_probe()->facts().core_cpus);
}

}  // namespace dtbench
