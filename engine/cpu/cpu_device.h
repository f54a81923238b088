// A group of cores with its memory. Kernels hold pointers into both: the device outlives them.
#pragma once

#include <cstdlib>
#include <memory>
#include <vector>

#include "engine/cpu/core_team.h"
#include "engine/runtime/device.h"

namespace dtbench {

class CpuDevice : public Device {
 public:
  explicit CpuDevice(CoreTeam team) : team_(std::move(team)) {}
  /// The compute stream's thread leads the team; the others share its CPUs.
  void enter(Stream stream) override;
  /// Zeroed by the team, so that each part lies near a core that may use it; huge pages where the system grants them.
  std::byte* allocate(std::int64_t bytes) override;
  std::unique_ptr<Kernel> prepare(const KernelRequest& request) override;

 private:
  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  CoreTeam team_;
  std::vector<std::unique_ptr<std::byte, Free>> memory_;
};

}  // namespace dtbench
