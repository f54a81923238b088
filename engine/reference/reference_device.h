// A device without hardware behind it: memory from the heap, kernels of kernel_table.h, threads left where they are.
#pragma once

#include <memory>
#include <vector>

#include "engine/runtime/device.h"

namespace dtbench {

/// As many as a test may ask for; they share the cores of the machine.
inline constexpr int kReferenceDevices = 64;

class ReferenceDevice : public Device {
 public:
  void enter(Stream) override {}
  std::byte* allocate(std::int64_t bytes) override;
  std::unique_ptr<Kernel> prepare(const KernelRequest& request) override;

 private:
  std::vector<std::unique_ptr<std::byte[]>> memory_;
};

}  // namespace dtbench
