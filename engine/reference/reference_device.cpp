#include "engine/reference/reference_device.h"

#include "engine/reference/kernel_table.h"

namespace dtbench {

std::byte* ReferenceDevice::allocate(std::int64_t bytes) {
  memory_.push_back(std::make_unique<std::byte[]>(static_cast<std::size_t>(bytes)));
  return memory_.back().get();
}

std::unique_ptr<Kernel> ReferenceDevice::prepare(const KernelRequest& request) {
  return make_reference_kernel(request);
}

}  // namespace dtbench
